/** One task: what went wrong in a sentence, its files, how it was done, and what was asked and answered behind folds. */
import { Alert, Badge, Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { Job, Task } from '@reforge/sdk'
import { IconAlertTriangle, IconArrowRight, IconBan } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CodeBlock } from '../../components/code-block.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { useNotifyError } from '../../components/error-box.tsx'
import { kindOf } from '../../graph/kinds.ts'
import { StatusMark } from '../../graph/status-mark.tsx'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Files } from './files.tsx'
import { SendFile } from './send-file.tsx'
import classes from './task.module.css'
import { ended, operationName } from './words.ts'

export function TaskDetails({ task, job }: { task: Task; job: Job }) {
  const texts = useTexts()
  const reforge = useReforge()
  const notifyError = useNotifyError()
  const cancel = useMutation({ mutationFn: () => reforge.tasks.cancel(task.id) })
  const { task: words } = texts.jobs
  const inputs = task.dependsOn.map((id) => job.tasks?.find((each) => each.id === id)?.name ?? words.elsewhere(id))
  const { files: _files, form: _form, ...result } = task.result
  return (
    <Paper component="section" aria-labelledby="task-title">
      <Stack gap="md">
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2} id="task-title">
              {task.name}
            </Title>
            <Group gap="sm" mt={4}>
              <StatusMark status={task.status} />
              <Badge color="gray">{operationName(task.operation, texts)}</Badge>
              {task.status === 'processing' && task.percent !== undefined && (
                <Text size="sm">{words.percent(task.percent)}</Text>
              )}
              {inputs.length > 0 && (
                <Text size="sm" c="dimmed">
                  {words.inputs} {inputs.join(', ')}
                </Text>
              )}
            </Group>
          </div>
          <Group gap={4}>
            <Code>{task.id}</Code>
            <CopyButton value={task.id} label={texts.jobs.job.copyId} />
            {!ended(task) && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconBan size={16} />}
                loading={cancel.isPending}
                onClick={() => cancel.mutate(undefined, { onError: notifyError })}
              >
                {words.cancel}
              </Button>
            )}
          </Group>
        </Group>
        <Trouble task={task} />
        {task.result.form && <SendFile task={task} />}
        <Files task={task} />
        <Route task={task} />
        <Options task={task} />
        <Fold title={words.payload}>
          <CodeBlock code={JSON.stringify(task.payload ?? {}, null, 2)} />
        </Fold>
        {Object.keys(result).length > 0 && (
          <Fold title={words.result}>
            <CodeBlock code={JSON.stringify(task.result, null, 2)} />
          </Fold>
        )}
      </Stack>
    </Paper>
  )
}

const Fold = ({ title, children }: { title: string; children: ReactNode }) => (
  <details className={classes.fold}>
    <summary>{title}</summary>
    {children}
  </details>
)

function Trouble({ task: { status, result, warnings = [] } }: { task: Task }) {
  const { jobs, shared } = useTexts()
  if (status !== 'failed' && warnings.length === 0) return null
  return (
    <Alert color={status === 'failed' ? 'red' : 'yellow'} variant="light" icon={<IconAlertTriangle />}>
      <Text size="sm">{status === 'failed' ? result.msg : warnings.map(({ message }) => message).join(' ')}</Text>
      {result.errorCode && (
        <details className={classes.fold}>
          <summary>{shared.details}</summary>
          <Text size="sm">
            {jobs.task.code}: <Code>{result.errorCode}</Code>
          </Text>
        </details>
      )}
    </Alert>
  )
}

interface Step {
  engine: string
  from: string
  to: string
}

const isStep = (value: unknown): value is Step =>
  typeof value === 'object' && value !== null && 'engine' in value && 'from' in value && 'to' in value

/** Which engines did it, one after the other. */
function Route({ task: { result } }: { task: Task }) {
  const { task: texts } = useTexts().jobs
  const given: unknown = 'route' in result ? result.route : null
  const steps = Array.isArray(given) ? given.filter(isStep) : []
  if (steps.length === 0) return null
  return (
    <div>
      <Text fw={600} size="sm" component="h3" mb={6}>
        {texts.route}
      </Text>
      <Group gap={8}>
        {steps.map(({ engine, from, to }, index) => (
          <Group key={`${engine}${from}${to}`} gap={8}>
            {index > 0 && <IconArrowRight size={16} aria-hidden="true" />}
            <Badge color="gray" size="lg" variant="outline">
              {engine} · {texts.step(String(from), String(to))}
            </Badge>
          </Group>
        ))}
      </Group>
    </div>
  )
}

function Options({ task: { result, operation } }: { task: Task }) {
  const { task: texts } = useTexts().jobs
  const { applied = {}, ignored = [] } = result.options ?? {}
  const entries = Object.entries(applied)
  if (kindOf(operation) !== 'process' || (entries.length === 0 && ignored.length === 0)) return null
  return (
    <div>
      {ignored.map(({ name, reason }) => (
        <Text key={name} size="sm" c="orange">
          {texts.ignored(name, reason)}
        </Text>
      ))}
      {entries.length > 0 && (
        <Fold title={texts.optionsApplied(entries.length)}>
          <dl className={classes.options}>
            {entries.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
              </div>
            ))}
          </dl>
        </Fold>
      )}
    </div>
  )
}
