/** The files in their order, which dragging changes: by pointer, by finger, by keyboard, with words for those who listen. */
import {
  type Announcements,
  closestCenter,
  DndContext,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { arrayMove, rectSortingStrategy, SortableContext, sortableKeyboardCoordinates } from '@dnd-kit/sortable'
import { useRef } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from './card.tsx'
import type { Item } from './items.ts'
import classes from './merge.module.css'

interface CardsProps {
  items: readonly Item[]
  withPages: boolean
  onItems: (items: readonly Item[]) => void
  onRemove: (id: string) => void
}

export function Cards({ items, withPages, onItems, onRemove }: CardsProps) {
  const texts = useTexts().merge
  const sensors = useSensors(
    // A click on it is not a drag, and a finger may want to scroll.
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 8 } }),
    useSensor(KeyboardSensor, {
      coordinateGetter: sortableKeyboardCoordinates,
      keyboardCodes: { start: ['Space', 'Enter'], cancel: ['Escape'], end: ['Space', 'Enter'] },
    }),
  )
  const ids = items.map(({ subject }) => subject.id)
  const change = (id: string, fields: Partial<Item>) =>
    onItems(items.map((item) => (item.subject.id === id ? { ...item, ...fields } : item)))
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{
        announcements: useAnnouncements(items),
        screenReaderInstructions: { draggable: texts.moving.instructions },
      }}
      onDragEnd={({ active, over }) => {
        const to = over ? ids.indexOf(String(over.id)) : -1
        if (to >= 0) onItems(arrayMove([...items], ids.indexOf(String(active.id)), to))
      }}
    >
      <SortableContext items={ids} strategy={rectSortingStrategy}>
        <ol className={classes.cards} aria-label={texts.list}>
          {items.map((item, at) => (
            <Card
              key={item.subject.id}
              item={item}
              at={at}
              withPages={withPages}
              onChange={(fields) => change(item.subject.id, fields)}
              onRemove={() => onRemove(item.subject.id)}
            />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  )
}

function useAnnouncements(items: readonly Item[]): Announcements {
  const { moving } = useTexts().merge
  const at = (id: string | number) => items.findIndex(({ subject }) => subject.id === id)
  const name = (id: string | number) => items[at(id)]?.subject.name ?? ''
  const count = items.length
  // That it lies over its own place is no news right after it was lifted, and would be all that is heard.
  const hasMoved = useRef(false)
  return {
    onDragStart: ({ active }) => {
      hasMoved.current = false
      return moving.lifted(name(active.id), at(active.id) + 1, count)
    },
    onDragOver: ({ active, over }) => {
      if (!over || (over.id === active.id && !hasMoved.current)) return undefined
      hasMoved.current = true
      return moving.over(name(active.id), at(over.id) + 1, count)
    },
    onDragEnd: ({ active, over }) =>
      over ? moving.dropped(name(active.id), at(over.id) + 1, count) : moving.left(name(active.id)),
    onDragCancel: ({ active }) => moving.left(name(active.id)),
  }
}
