/** A result as it is: picture (with the original to compare), sound, film, pages or text. Fetches no more than it shows. */
import { Center, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorBox } from '../components/error-box.tsx'
import { here } from '../place.ts'
import { useTexts } from '../texts/texts.tsx'
import { BeforeAfter } from './before-after.tsx'
import { showingOf } from './kind.ts'
import { useObjectUrl } from './object-url.ts'
import classes from './preview.module.css'

export interface Previewed {
  url: string
  filename: string
  size: number
  format: string
}

interface ResultPreviewProps {
  file: Previewed
  /** What it was made of, when it is in this page and a picture. */
  original?: { blob: Blob; format: string } | undefined
}

const MOST_TEXT = 200_000
const MOST_PDF = 200_000_000

export function ResultPreview({ file, original }: ResultPreviewProps) {
  const { preview } = useTexts().shared
  const url = here(file.url)
  const showing = showingOf(file.format)
  const before = useObjectUrl(original && showingOf(original.format) === 'image' ? original.blob : null)
  const name = preview.title(file.filename)
  if (showing === 'image')
    return before ? (
      <BeforeAfter before={before} after={url} alt={name} />
    ) : (
      <img src={url} alt={name} className={classes.picture} />
    )
  if (showing === 'audio')
    // biome-ignore lint/a11y/useMediaCaption: a converted recording brings no captions
    return <audio src={url} controls aria-label={name} className={classes.sound} preload="metadata" />
  if (showing === 'video')
    // biome-ignore lint/a11y/useMediaCaption: a converted film brings its captions inside, or none
    return <video src={url} controls aria-label={name} className={classes.picture} preload="metadata" />
  if (showing === 'pdf') return <Pages file={file} name={name} />
  if (showing === 'text') return <Lines file={file} />
  return <Notice>{preview.none}</Notice>
}

const Notice = ({ children }: { children: ReactNode }) => (
  <Center mih={160}>
    <Text c="dimmed">{children}</Text>
  </Center>
)

async function fetched(address: string, headers: Record<string, string> = {}): Promise<Response> {
  const answer = await fetch(here(address), { headers })
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  return answer
}

/** Given the browser's reader as bytes of our own naming, so that whatever is inside can only be read as a PDF. */
function Pages({ file, name }: { file: Previewed; name: string }) {
  const { preview } = useTexts().shared
  const canShow = navigator.pdfViewerEnabled && file.size <= MOST_PDF
  const { data, error } = useQuery({
    queryKey: ['preview', file.url],
    queryFn: async () => new Blob([await (await fetched(file.url)).arrayBuffer()], { type: 'application/pdf' }),
    enabled: canShow,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const url = useObjectUrl(data)
  if (!canShow) return <Notice>{navigator.pdfViewerEnabled ? preview.tooBig : preview.pages}</Notice>
  if (error) return <ErrorBox error={error} />
  return url ? <iframe src={url} title={name} className={classes.pages} /> : <Skeleton height={480} />
}

function Lines({ file }: { file: Previewed }) {
  const { data, error } = useQuery({
    queryKey: ['preview', file.url],
    queryFn: async () => (await fetched(file.url, { range: `bytes=0-${MOST_TEXT}` })).text(),
    enabled: file.size > 0,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error) return <ErrorBox error={error} />
  if (data === undefined && file.size > 0) return <Skeleton height={240} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className={classes.lines} tabIndex={0}>
      {data}
    </pre>
  )
}
