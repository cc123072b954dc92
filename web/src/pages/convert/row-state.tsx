/** The line under a file's name: what it is, how far it is, what became of it, or why nothing did. Never higher than it was. */

import { Text } from '@mantine/core'
import { ReforgeError } from '@reforge/sdk'
import { wordsOf } from '../../components/error-box.tsx'
import { ProgressLine } from '../../components/progress-line.tsx'
import { readableChange, readableDuration, readableSize } from '../../figures/figures.ts'
import { useNow } from '../../figures/when.tsx'
import { type Texts, useTexts } from '../../texts/texts.tsx'
import type { Aim } from './aim.ts'
import type { ItemState } from './list.ts'
import classes from './rows.module.css'
import type { Planned } from './use-conversion.ts'

interface RowStateProps {
  aim: Aim
  planned: Planned
}

export function RowState({ aim, planned }: RowStateProps) {
  const texts = useTexts()
  const { state } = planned.item
  if (state.stage === 'failed') return <Trouble>{failureOf(state.error, texts)}</Trouble>
  if (state.stage === 'done') return <Made planned={planned} />
  if (state.stage !== 'ready') return <Running aim={aim} state={state} />
  const { possible, refused } = planned.plan
  const trouble = refused ? texts.convert.impossible(refused) : possible?.length === 0 && texts.convert[aim].cannot
  return (
    <>
      <Text size="xs" c="dimmed" lh={1.6}>
        {metaOf(planned)}
      </Text>
      {trouble && <Trouble>{trouble}</Trouble>}
    </>
  )
}

const Trouble = ({ children }: { children: string }) => (
  <Text size="sm" c="red" role="alert">
    {children}
  </Text>
)

const metaOf = ({ item, plan }: Planned): string =>
  [plan.from.toUpperCase(), item.size !== undefined && readableSize(item.size)].filter(Boolean).join(' · ')

const failureOf = (error: unknown, texts: Texts): string => {
  if (error instanceof ReforgeError && error.code === 'canceled') return texts.convert.canceled
  return wordsOf(error, texts) || texts.convert.failed
}

function Made({ planned }: { planned: Planned }) {
  const { convert: texts } = useTexts()
  const { state, size } = planned.item
  const files = state.stage === 'done' ? state.outcome.files : []
  const after = files.reduce((sum, file) => sum + file.size, 0)
  const what = files.length > 1 ? texts.results(files.length) : files[0]?.format.toUpperCase()
  return (
    <Text size="xs" c="dimmed" lh={1.6} truncate>
      {metaOf(planned)} → {what} · {readableSize(after)}{' '}
      {size !== undefined && (
        <span className={after < size * 0.995 ? classes.smaller : classes.larger}>{readableChange(size, after)}</span>
      )}
    </Text>
  )
}

type RunningState = Extract<ItemState, { since: number }>

function Running({ aim, state }: { aim: Aim; state: RunningState }) {
  const { convert: texts } = useTexts()
  const now = useNow(1_000)
  const { stage, percent, since, ahead } = state
  const words = stage === 'working' ? texts[aim].working : texts.stages[stage]
  const left = stage === 'working' || stage === 'uploading' ? timeLeft(percent, now - since) : null
  const details = [stage === 'waiting' && ahead !== undefined && texts.ahead(ahead), left && texts.left(left)].filter(
    Boolean,
  )
  return <ProgressLine label={[words, ...details].join(', ')} percent={percent} />
}

/** Only when enough has been seen to tell. */
function timeLeft(percent: number | undefined, elapsed: number): string | null {
  if (!percent || percent < 5 || percent > 99 || elapsed < 3_000) return null
  const ms = (elapsed / percent) * (100 - percent)
  return ms < 1_000 ? null : readableDuration(Math.ceil(ms / 1_000) * 1_000).replace('.0', '')
}
