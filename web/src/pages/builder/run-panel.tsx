/** How the last run goes, and what came out of it. */
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { Job } from '@reforge/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useNotifyError } from '../../components/error-box.tsx'
import { ProgressLine } from '../../components/progress-line.tsx'
import { kindOf } from '../../graph/kinds.ts'
import { StatusMark, statusOf } from '../../graph/status-mark.tsx'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Files } from '../jobs/files.tsx'
import { culpritOf, ended } from '../jobs/words.ts'

interface RunPanelProps {
  job: Job
  sent: ReadonlyMap<string, number>
  onClose: () => void
}

export function RunPanel({ job, sent, onClose }: RunPanelProps) {
  const { result: texts } = useTexts().builder
  const reforge = useReforge()
  const notifyError = useNotifyError()
  const cancel = useMutation({ mutationFn: () => reforge.jobs.cancel(job.id), onError: notifyError })
  const tasks = job.tasks ?? []
  const uploading = tasks.filter(({ id, status }) => status === 'processing' && sent.has(id))
  return (
    <Paper component="section" aria-labelledby="run-title">
      <Stack>
        <Group justify="space-between">
          <Group>
            <Title order={2} id="run-title">
              {texts.title}
            </Title>
            <div role="status">
              <StatusMark status={statusOf(job)} />
            </div>
          </Group>
          <Group gap="xs">
            {!ended(job) && (
              <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
                {texts.cancel}
              </Button>
            )}
            <Button size="xs" variant="default" component={Link} href={`/jobs/${job.id}`}>
              {texts.open}
            </Button>
            {ended(job) && (
              <Button size="xs" variant="subtle" color="gray" onClick={onClose}>
                {texts.close}
              </Button>
            )}
          </Group>
        </Group>
        {uploading.map(({ id, name }) => (
          <ProgressLine key={id} label={`${texts.uploading} ${name}`} percent={sent.get(id)} />
        ))}
        {job.status === 'failed' && (
          <Text size="sm" c="red">
            {culpritOf(job)?.result.msg ?? job.result.msg}
          </Text>
        )}
        {tasks
          .filter(({ operation, result }) => kindOf(operation) === 'export' && result.files)
          .map((task) => (
            <Files key={task.id} task={task} />
          ))}
      </Stack>
    </Paper>
  )
}
