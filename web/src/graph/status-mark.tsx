/** How a job or a task is, as a sign with its word. Never by colour alone. */
import { Group, Text, VisuallyHidden } from '@mantine/core'
import {
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleMinus,
  IconCircleXFilled,
  IconLoader2,
  IconTrash,
} from '@tabler/icons-react'
import { useTexts } from '../texts/texts.tsx'
import classes from './status-mark.module.css'

export type Status = 'created' | 'processing' | 'completed' | 'failed' | 'canceled' | 'deleted'

const SIGNS = {
  created: IconCircleDashed,
  processing: IconLoader2,
  completed: IconCircleCheckFilled,
  failed: IconCircleXFilled,
  canceled: IconCircleMinus,
  deleted: IconTrash,
}

/** A canceled job has failed; people call it canceled. */
export const statusOf = ({ status, result }: { status: Status; result: { errorCode?: string } }): Status =>
  status === 'failed' && result.errorCode === 'task_canceled' ? 'canceled' : status

export function StatusSign({ status, size = 18 }: { status: Status; size?: number }) {
  const Sign = SIGNS[status]
  return <Sign size={size} className={classes.sign} data-status={status} aria-hidden="true" />
}

interface StatusMarkProps {
  status: Status
  /** The word is there for screen readers only. */
  quiet?: boolean
}

export function StatusMark({ status, quiet = false }: StatusMarkProps) {
  const word = useTexts().shared.statuses[status]
  return (
    <Group gap={6} wrap="nowrap" component="span" className={classes.mark}>
      <StatusSign status={status} />
      {quiet ? (
        <VisuallyHidden>{word}</VisuallyHidden>
      ) : (
        <Text component="span" size="sm" fw={600}>
          {word}
        </Text>
      )}
    </Group>
  )
}
