/** What a file looks like: by the browser where it can, else its first page as the server draws it, else a sign. */
import { Loader } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { IconFileText, IconPhoto } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { optionsQuery } from '../../data/queries.ts'
import { showingOf } from '../../preview/kind.ts'
import { useObjectUrl } from '../../preview/object-url.ts'
import { useReforge } from '../../session/session.tsx'
import type { Subject } from '../../tools/subject.ts'
import { useView } from '../../tools/view.ts'
import classes from './merge.module.css'

/** Decoding more for a thumbnail costs more than it shows. */
const MOST = 25_000_000
const WIDE = 360

export function Thumbnail({ subject, turn }: { subject: Subject; turn: number }) {
  const { source, format } = subject
  const [broken, setBroken] = useState(false)
  const { ref, inViewport } = useInViewport<HTMLSpanElement>()
  // Once in sight, it stays.
  const [seen, setSeen] = useState(false)
  if (inViewport && !seen) setSeen(true)
  const own = source.kind === 'file' && source.file.size <= MOST && showingOf(format) === 'image' && !broken
  const local = useObjectUrl(own ? source.file : null)
  const drawn = useDrawn(subject, seen && !own)
  const url = own ? local : drawn.url
  const Sign = format === 'pdf' ? IconFileText : IconPhoto
  return (
    <span ref={ref} className={classes.thumb} aria-hidden="true">
      {url && (
        <img
          src={url}
          alt=""
          decoding="async"
          draggable={false}
          style={{ transform: `rotate(${turn}deg)` }}
          onError={() => setBroken(true)}
        />
      )}
      {!url && (drawn.failed ? <Sign size={40} stroke={1.2} /> : <Loader size="sm" type="dots" />)}
    </span>
  )
}

/** Small, where the server can make it small at once. */
function useDrawn(subject: Subject, wanted: boolean): { url: string | undefined; failed: boolean } {
  const reforge = useReforge()
  const query = { input_format: subject.format, output_format: 'jpg' }
  const how = useQuery({ ...optionsQuery(reforge, 'convert', query), enabled: wanted })
  const can = (name: string) => how.data?.options.some((option) => option.name === name) ?? false
  const options = {
    ...(can('pdf_pages') && { pdf_pages: '1' }),
    ...(can('pdf_dpi') && { pdf_dpi: 36 }),
    ...(can('image_longest_side') && { image_longest_side: WIDE }),
  }
  const view = useView(subject, wanted && how.data ? [{ output_format: 'jpg', options }] : null)
  return { url: view.data, failed: view.isError || how.isError }
}
