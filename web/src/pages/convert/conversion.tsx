/** Drop files, say what they should become, watch, take them home. What works on files comes with the first file. */

import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { FileDrop } from '../../components/file-drop.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { formatsQuery } from '../../data/queries.ts'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Aim } from './aim.ts'
import { LISTS } from './list.ts'

const Working = lazy(async () => ({ default: (await import('./working.tsx')).Working }))

export function Conversion({ aim }: { aim: Aim }) {
  const { convert: texts } = useTexts()
  const list = LISTS[aim]
  const isEmpty = useSyncExternalStore(list.subscribe, () => list.state().items.length === 0)
  const formats = useQuery(formatsQuery(useReforge(), 'all', {})).data
  const drop = {
    onFiles: (files: File[]) => list.add(files.map((file) => ({ kind: 'file', file }))),
    onLink: (url: string) => list.add([{ kind: 'link', url }]),
  }
  if (isEmpty)
    return (
      <PageFrame title={texts[aim].title} lead={texts[aim].lead}>
        <FileDrop title={texts[aim].drop} hint={formats && texts.dropHint(formats.length)} {...drop} />
      </PageFrame>
    )
  return (
    <Suspense
      fallback={
        <PageFrame title={texts[aim].title} lead={texts[aim].lead}>
          <Skeleton height={340} />
        </PageFrame>
      }
    >
      <Working aim={aim} drop={drop} />
    </Suspense>
  )
}
