/** The one button to press next, how far the upload and the work are, and what went wrong. Always in sight. */
import { Button, Group, Paper } from '@mantine/core'
import { ReforgeError } from '@reforge/sdk'
import { IconPlayerStop } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ErrorBox } from '../components/error-box.tsx'
import { ProgressLine } from '../components/progress-line.tsx'
import { useTexts } from '../texts/texts.tsx'
import { isRunning, type RunState } from './run.ts'
import classes from './run-bar.module.css'
import type { Imports } from './subject.ts'

interface RunBarProps {
  state: RunState
  imports: Imports
  /** On the button. */
  label: string
  /** While it works. */
  working: string
  disabled?: boolean
  onStart: () => void
  onCancel: () => void
  /** What it comes to: sizes, lengths, counts. */
  children?: ReactNode
  /** Further buttons. */
  actions?: ReactNode
}

export function RunBar({
  state,
  imports,
  label,
  working,
  disabled,
  onStart,
  onCancel,
  children,
  actions,
}: RunBarProps) {
  const { tools: texts } = useTexts()
  const running = isRunning(state)
  const error = state.stage === 'failed' && !isCanceled(state.error) ? state.error : imports.error
  return (
    <div className={classes.bar}>
      {error !== null && error !== undefined && (
        <ErrorBox error={error} onRetry={imports.error === null ? onStart : imports.retry} />
      )}
      <Paper p="sm" shadow="sm">
        <Group justify="space-between" gap="sm">
          <div className={classes.words} role="status">
            {running || !imports.isDone ? <Line state={state} imports={imports} working={working} /> : children}
          </div>
          <Group gap="xs">
            {actions}
            {running ? (
              <Button variant="default" leftSection={<IconPlayerStop size={18} />} onClick={onCancel}>
                {texts.cancel}
              </Button>
            ) : (
              <Button onClick={onStart} disabled={disabled ?? false}>
                {label}
              </Button>
            )}
          </Group>
        </Group>
      </Paper>
    </div>
  )
}

const isCanceled = (error: unknown): boolean => error instanceof ReforgeError && error.code === 'canceled'

function Line({ state, imports, working }: Pick<RunBarProps, 'state' | 'imports' | 'working'>) {
  const { tools: texts } = useTexts()
  if (imports.error !== null) return null
  if (!imports.isDone)
    return (
      <ProgressLine
        label={imports.percent === undefined ? texts.fetching : texts.uploading}
        percent={imports.percent}
      />
    )
  if (state.stage === 'working') return <ProgressLine label={working} percent={state.percent} />
  return <ProgressLine label={texts.waiting} />
}
