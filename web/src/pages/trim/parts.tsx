/** The parts that stay, by their times. */
import { ActionIcon, Button, Group, Text, TextInput, Tooltip } from '@mantine/core'
import {
  IconBracketsContainEnd,
  IconBracketsContainStart,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { readableDuration } from '../../figures/figures.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Edge, Range } from './ranges.ts'
import { readTime, writeTime } from './time.ts'
import classes from './trim.module.css'

interface PartsProps {
  ranges: readonly Range[]
  active: string | undefined
  onEdge: (id: string, edge: Edge, time: number | 'now') => void
  onPlay: (id: string) => void
  onRemove: (id: string) => void
  onAdd: () => void
}

export function Parts({ ranges, active, onEdge, onPlay, onRemove, onAdd }: PartsProps) {
  const texts = useTexts().trim
  return (
    <section aria-label={texts.parts}>
      <ol className={classes.parts}>
        {ranges.map((range, at) => (
          <li
            key={range.id}
            className={classes.part}
            data-active={(range.id === active && ranges.length > 1) || undefined}
            aria-label={texts.part(at + 1)}
          >
            {(['start', 'end'] as const).map((edge) => (
              <EdgeField key={edge} range={range} part={at + 1} edge={edge} onEdge={onEdge} />
            ))}
            <Text size="sm" c="dimmed" className={classes.grow} lh="36px">
              {readableDuration((range.end - range.start) * 1000)}
            </Text>
            <Group gap={4}>
              <Tooltip label={texts.playPart(at + 1)}>
                <ActionIcon aria-label={texts.playPart(at + 1)} onClick={() => onPlay(range.id)}>
                  <IconPlayerPlay size={18} />
                </ActionIcon>
              </Tooltip>
              {ranges.length > 1 && (
                <Tooltip label={texts.removePart(at + 1)}>
                  <ActionIcon aria-label={texts.removePart(at + 1)} onClick={() => onRemove(range.id)}>
                    <IconTrash size={18} />
                  </ActionIcon>
                </Tooltip>
              )}
            </Group>
          </li>
        ))}
      </ol>
      <Button mt="xs" size="xs" variant="default" leftSection={<IconPlus size={16} />} onClick={onAdd}>
        {texts.add}
      </Button>
    </section>
  )
}

interface EdgeFieldProps extends Pick<PartsProps, 'onEdge'> {
  range: Range
  part: number
  edge: Edge
}

function EdgeField({ range, part, edge, onEdge }: EdgeFieldProps) {
  const texts = useTexts().trim
  const [draft, setDraft] = useState<string | null>(null)
  const isStart = edge === 'start'
  const here = isStart ? texts.startHere(part) : texts.endHere(part)
  const Here = isStart ? IconBracketsContainStart : IconBracketsContainEnd
  const read = draft === null ? range[edge] : readTime(draft)
  const settle = () => {
    if (draft !== null && read !== null) onEdge(range.id, edge, read)
    setDraft(null)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') return settle()
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (direction === 0) return
    event.preventDefault()
    setDraft(null)
    onEdge(range.id, edge, (read ?? range[edge]) + direction * (event.shiftKey ? 1 : 0.1))
  }
  return (
    <Group gap={2} align="flex-end" wrap="nowrap">
      <TextInput
        className={classes.field}
        label={isStart ? texts.start : texts.end}
        aria-label={isStart ? texts.startOf(part) : texts.endOf(part)}
        inputMode="decimal"
        autoComplete="off"
        value={draft ?? writeTime(range[edge])}
        error={read === null && texts.badTime}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onBlur={settle}
        onKeyDown={press}
      />
      <Tooltip label={here}>
        <ActionIcon mb={1} aria-label={here} onClick={() => onEdge(range.id, edge, 'now')}>
          <Here size={18} />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
