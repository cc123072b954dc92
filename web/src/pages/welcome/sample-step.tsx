/** Converts a picture that was drawn here, to see the engines work. */
import { Button, Text, Title } from '@mantine/core'
import type { ResultFile } from '@reforge/sdk'
import { IconArrowsExchange } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorBox } from '../../components/error-box.tsx'
import { ProgressLine } from '../../components/progress-line.tsx'
import { readableSize } from '../../figures/figures.ts'
import { here } from '../../place.ts'
import { useObjectUrl } from '../../preview/object-url.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Progress } from '../../work/run.ts'
import { useWork } from '../../work/use-work.ts'
import { drawSample } from './sample.ts'
import classes from './steps.module.css'

export function SampleStep({ onDone }: { onDone: () => void }) {
  const texts = useTexts().welcome.steps
  const work = useWork()
  const [progress, setProgress] = useState<Progress | null>(null)
  const sample = useQuery({
    queryKey: ['sample'],
    queryFn: () => drawSample(texts.sampleName),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const shown = useObjectUrl(sample.data)
  const run = useMutation({
    mutationFn: async (file: File): Promise<ResultFile | undefined> => {
      const { files } = await work(
        { sources: [{ kind: 'file', file }], task: { operation: 'convert', output_format: 'webp' } },
        { signal: new AbortController().signal, onProgress: setProgress },
      )
      return files[0]
    },
    onSuccess: onDone,
    onSettled: () => setProgress(null),
  })
  const { data: file } = sample
  const result = run.data
  return (
    <>
      <Title order={2} size="h4">
        {texts.sample}
      </Title>
      <Text size="sm">{texts.sampleLead}</Text>
      <div className={classes.pictures}>
        {shown && <img src={shown} alt={texts.sampleAlt} className={classes.picture} />}
        {result && <img src={here(result.url)} alt={texts.sampleResult} className={classes.picture} />}
      </div>
      {(sample.error ?? run.error) && <ErrorBox error={sample.error ?? run.error} />}
      {progress && <ProgressLine label={texts.stages[progress.stage]} percent={progress.percent} />}
      {file && result && (
        <Text size="sm" role="status" fw={600}>
          {texts.sampleDone(readableSize(file.size), readableSize(result.size))}
        </Text>
      )}
      {!result && !progress && (
        <Button
          leftSection={<IconArrowsExchange size={18} />}
          disabled={!file}
          onClick={() => file && run.mutate(file)}
        >
          {texts.sampleRun}
        </Button>
      )}
    </>
  )
}
