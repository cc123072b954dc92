/** What came of it, to look at and to take home. */
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { readableSize } from '../figures/figures.ts'
import { here } from '../place.ts'
import { ResultPreview } from '../preview/result-preview.tsx'
import { useTexts } from '../texts/texts.tsx'
import type { Outcome } from '../work/run.ts'

interface ResultCardProps {
  outcome: Outcome
  /** Bytes of what it was made of. */
  before?: number | undefined
}

export function ResultCard({ outcome, before }: ResultCardProps) {
  const { tools: texts, shared } = useTexts()
  const card = useRef<HTMLDivElement>(null)
  // It comes below what one is looking at.
  useEffect(() => {
    card.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <Paper ref={card} component="section" aria-label={texts.result} style={{ scrollMarginTop: 72 }}>
      <Stack gap="lg">
        <Title order={2}>{texts.result}</Title>
        {outcome.files.map((file) => (
          <Stack key={file.url} gap="md">
            <Group justify="space-between" gap="sm">
              <div style={{ minWidth: 0, flex: '1 1 200px' }}>
                <Text fw={600} truncate title={file.filename}>
                  {file.filename}
                </Text>
                <Text size="sm" c="dimmed" role="status">
                  {readableSize(file.size)}
                  {before !== undefined && `, ${texts.from(readableSize(before))}`}
                </Text>
              </div>
              <Button
                component="a"
                href={here(file.url)}
                download={file.filename}
                aria-label={texts.downloadOf(file.filename)}
                leftSection={<IconDownload size={18} />}
              >
                {shared.download}
              </Button>
            </Group>
            <ResultPreview file={file} />
          </Stack>
        ))}
      </Stack>
    </Paper>
  )
}
