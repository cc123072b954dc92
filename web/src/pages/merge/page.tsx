/** Merge: pictures and PDFs into one file, in an order made by dragging. */
import { Button } from '@mantine/core'
import { IconArrowsSort, IconSortAscendingLetters, IconTrash } from '@tabler/icons-react'
import { FileDrop } from '../../components/file-drop.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { useHeld } from '../../tools/held.ts'
import { useAccepted } from '../../tools/use-accepted.ts'
import { Bench } from './bench.tsx'
import { type Item, itemOf } from './items.ts'
import { merging } from './state.ts'
import { useRemoval } from './use-removal.tsx'

export function MergePage() {
  const texts = useTexts().merge
  const { items } = useHeld(merging)
  const { takeFiles, takeLink } = useAccepted('merge', (subjects) =>
    merging.set((old) => ({ items: [...old.items, ...subjects.map(itemOf)] })),
  )
  const isEmpty = items.length === 0
  return (
    <PageFrame title={texts.title} lead={texts.lead} actions={!isEmpty && <ListActions items={items} />}>
      <FileDrop compact={!isEmpty} title={texts.drop} hint={texts.dropHint} onFiles={takeFiles} onLink={takeLink} />
      {!isEmpty && <Bench items={items} />}
    </PageFrame>
  )
}

function ListActions({ items }: { items: readonly Item[] }) {
  const texts = useTexts().merge
  const remove = useRemoval()
  const byName = (a: Item, b: Item) => a.subject.name.localeCompare(b.subject.name, undefined, { numeric: true })
  const button = { size: 'xs', variant: 'default' }
  return (
    <>
      <Button
        {...button}
        leftSection={<IconSortAscendingLetters size={16} />}
        onClick={() => merging.set({ items: items.toSorted(byName) })}
      >
        {texts.sort}
      </Button>
      <Button
        {...button}
        leftSection={<IconArrowsSort size={16} />}
        onClick={() => merging.set({ items: items.toReversed() })}
      >
        {texts.reverse}
      </Button>
      <Button {...button} leftSection={<IconTrash size={16} />} onClick={() => remove([])}>
        {texts.clear}
      </Button>
    </>
  )
}
