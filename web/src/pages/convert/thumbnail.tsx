/** A small picture of the file, or a sign for its kind. */
import { IconFile, IconFileMusic, IconFileText, IconMovie, IconPhoto, IconTable } from '@tabler/icons-react'
import { useState } from 'react'
import { showingOf } from '../../preview/kind.ts'
import { useObjectUrl } from '../../preview/object-url.ts'
import type { Source } from '../../work/source.ts'
import classes from './rows.module.css'

const SIGNS: Record<string, typeof IconFile> = {
  image: IconPhoto,
  video: IconMovie,
  audio: IconFileMusic,
  document: IconFileText,
  ebook: IconFileText,
  presentation: IconFileText,
  spreadsheet: IconTable,
}
/** Decoding more for a thumbnail costs more than it shows. */
const MOST = 25_000_000

export function Thumbnail({ source, from, family }: { source: Source; from: string; family: string | undefined }) {
  const [broken, setBroken] = useState(false)
  const file = source.kind === 'file' && source.file.size <= MOST && showingOf(from) === 'image' ? source.file : null
  const url = useObjectUrl(file)
  const Sign = SIGNS[family ?? ''] ?? IconFile
  return (
    <span className={classes.thumb} aria-hidden="true">
      {url && !broken ? (
        <img src={url} alt="" decoding="async" onError={() => setBroken(true)} />
      ) : (
        <Sign size={24} stroke={1.5} />
      )}
    </span>
  )
}
