/** Always in sight: what all should become, how far all are, and the one button to press next. */

import { ActionIcon, Button, Group, Paper, Text, Tooltip } from '@mantine/core'
import { IconFileZip, IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useNotifyError } from '../../components/error-box.tsx'
import { readableChange, readableSize } from '../../figures/figures.ts'
import type { FormatInfo } from '../../formats/common.ts'
import { FormatPicker } from '../../formats/format-picker.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Aim } from './aim.ts'
import { isRunning, type List } from './list.ts'
import type { Known } from './plan.ts'
import classes from './rows.module.css'
import { useArchive } from './use-archive.ts'
import { mayStart, type Planned } from './use-conversion.ts'
import { useRemoval } from './use-removal.tsx'

interface SummaryBarProps {
  aim: Aim
  list: List
  planned: readonly Planned[]
  known: Known
  start: (planned: Planned) => Promise<void>
}

export function SummaryBar({ aim, list, planned, known, start }: SummaryBarProps) {
  const { convert: texts } = useTexts()
  const remove = useRemoval(list)
  const running = planned.filter(({ item }) => isRunning(item))
  const failed = planned.filter(({ item }) => item.state.stage === 'failed')
  const startable = planned.filter((each) => mayStart(each) && each.item.state.stage !== 'failed')
  return (
    <Paper className={classes.bar} radius="md">
      <Group gap="md">
        {aim === 'convert' && planned.length > 1 && (
          <Group gap="xs" wrap="nowrap">
            <Text size="sm">{texts.all}</Text>
            <FormatPicker
              formats={unionOf(known)}
              family={planned[0]?.plan.family}
              value={list.state().target ?? sharedTarget(planned)}
              onChange={list.aim}
              label={texts.all}
            />
          </Group>
        )}
        <Totals planned={planned} />
      </Group>
      <Group gap="xs" justify="flex-end">
        {running.length > 0 ? (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={18} />}
            onClick={() => list.cancel(...running.map(({ item }) => item.id))}
          >
            {texts.stop}
          </Button>
        ) : (
          <Tooltip label={texts.clear}>
            <ActionIcon
              size="input-sm"
              variant="default"
              aria-label={texts.clear}
              onClick={() => remove(planned.map(({ item }) => item.id))}
            >
              <IconTrash size={18} />
            </ActionIcon>
          </Tooltip>
        )}
        {failed.length > 1 && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={18} />}
            onClick={() => failed.forEach((each) => void start(each))}
          >
            {texts.retryAll(failed.length)}
          </Button>
        )}
        {running.length === 0 && <ZipButton planned={planned} primary={startable.length === 0} />}
        {startable.length > 0 && (
          <Button onClick={() => startable.forEach((each) => void start(each))}>
            {texts[aim].run(startable.length)}
          </Button>
        )}
      </Group>
    </Paper>
  )
}

/** What all of them become, when that is the same. */
function sharedTarget(planned: readonly Planned[]): string | undefined {
  const targets = new Set(planned.map(({ plan }) => plan.to))
  return targets.size === 1 ? planned[0]?.plan.to : undefined
}

/** Everything that at least one of the files can become. */
function unionOf({ targets }: Known): FormatInfo[] {
  const all = new Map([...targets.values()].flat().map((format) => [format.ext, format]))
  return [...all.values()].sort((a, b) => (a.ext < b.ext ? -1 : 1))
}

const outcomesOf = (planned: readonly Planned[]) =>
  planned.flatMap(({ item }) => (item.state.stage === 'done' ? [{ item, outcome: item.state.outcome }] : []))

function Totals({ planned }: { planned: readonly Planned[] }) {
  const { convert: texts } = useTexts()
  const done = outcomesOf(planned)
  const failed = planned.filter(({ item }) => item.state.stage === 'failed').length
  const isFresh = done.length === 0 && failed === 0 && !planned.some(({ item }) => isRunning(item))
  const size = planned.reduce((sum, { item }) => sum + (item.size ?? 0), 0)
  const known = done.filter(({ item }) => item.size !== undefined)
  const before = known.reduce((sum, { item }) => sum + (item.size ?? 0), 0)
  const after = known.reduce((sum, { outcome }) => sum + outcome.files.reduce((n, file) => n + file.size, 0), 0)
  return (
    <Text size="sm" role="status" fw={500}>
      {isFresh ? texts.ready(planned.length, readableSize(size)) : texts.done(done.length, planned.length)}
      {failed > 0 && ` · ${texts.someFailed(failed)}`}
      {before > 0 && (
        <Text component="span" c="dimmed" inherit fw={400} visibleFrom="xs">
          {` · ${readableSize(before)} → ${readableSize(after)} (${readableChange(before, after)})`}
        </Text>
      )}
    </Text>
  )
}

function ZipButton({ planned, primary }: { planned: readonly Planned[]; primary: boolean }) {
  const { convert: texts } = useTexts()
  const notifyError = useNotifyError()
  const { archive, archiving } = useArchive()
  const tasks = outcomesOf(planned).map(({ outcome }) => outcome.task)
  if (tasks.length < 2) return null
  return (
    <Button
      variant={primary ? 'filled' : 'default'}
      loading={archiving}
      leftSection={<IconFileZip size={18} />}
      onClick={() => archive(tasks, texts.zipName).catch(notifyError)}
    >
      {texts.downloadZip}
    </Button>
  )
}
