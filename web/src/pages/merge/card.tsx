/** One file of a merge: its picture is the handle to drag it by; below are its name and what can be done with it. */
import { useSortable } from '@dnd-kit/sortable'
import { ActionIcon, Badge, Group, Text, TextInput, Tooltip } from '@mantine/core'
import { IconRotateClockwise, IconTrash } from '@tabler/icons-react'
import { readableSize } from '../../figures/figures.ts'
import { useTexts } from '../../texts/texts.tsx'
import { type Item, isPages, turned } from './items.ts'
import classes from './merge.module.css'
import { Thumbnail } from './thumbnail.tsx'

interface CardProps {
  item: Item
  at: number
  /** Whether pages can be chosen. */
  withPages: boolean
  onChange: (fields: Partial<Item>) => void
  onRemove: () => void
}

export function Card({ item, at, withPages, onChange, onRemove }: CardProps) {
  const texts = useTexts().merge
  const { subject, turn, pages } = item
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: subject.id,
    attributes: { roleDescription: texts.moving.roledescription },
  })
  return (
    <li
      ref={setNodeRef}
      className={classes.card}
      data-lifted={isDragging || undefined}
      style={{
        transform: transform ? `translate3d(${transform.x}px, ${transform.y}px, 0)` : undefined,
        transition,
      }}
    >
      <button
        type="button"
        ref={setActivatorNodeRef}
        className={classes.handle}
        {...attributes}
        {...listeners}
        aria-label={texts.handle(subject.name, at + 1)}
      >
        <Thumbnail subject={subject} turn={turn} />
        <Badge className={classes.number} variant="filled" color="dark" circle size="lg">
          {at + 1}
        </Badge>
      </button>
      <Text size="sm" fw={600} truncate title={subject.name}>
        {subject.name}
      </Text>
      <Group justify="space-between" wrap="nowrap" gap={4}>
        <Text size="xs" c="dimmed" truncate>
          {subject.format.toUpperCase()}
          {subject.size !== undefined && ` · ${readableSize(subject.size)}`}
          {turn > 0 && ` · ${texts.rotated(turn)}`}
        </Text>
        <Group gap={0} wrap="nowrap">
          <Tooltip label={texts.rotate(subject.name)}>
            <ActionIcon
              size="md"
              aria-label={texts.rotate(subject.name)}
              onClick={() => onChange({ turn: turned(turn) })}
            >
              <IconRotateClockwise size={17} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={texts.remove(subject.name)}>
            <ActionIcon size="md" aria-label={texts.remove(subject.name)} onClick={onRemove}>
              <IconTrash size={17} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      {withPages && subject.format === 'pdf' && (
        <TextInput
          size="xs"
          mt={4}
          aria-label={texts.pages(subject.name)}
          placeholder={texts.pagesHint}
          value={pages}
          error={!isPages(pages) && texts.pagesBad}
          onChange={({ currentTarget }) => onChange({ pages: currentTarget.value })}
        />
      )}
    </li>
  )
}
