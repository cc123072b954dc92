/** One job, live: its graph, its times, and the task that was chosen. */
import { Alert, Anchor, Badge, Button, Code, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { type Job, ReforgeError } from '@reforge/sdk'
import { IconAlertTriangle, IconArrowLeft } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { codeOf } from '../../code/as-code.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { useLive } from '../../data/live.tsx'
import { jobQuery } from '../../data/queries.ts'
import { readableDuration } from '../../figures/figures.ts'
import { useNow, When } from '../../figures/when.tsx'
import { JobGraph } from '../../graph/job-graph.tsx'
import { kindOf } from '../../graph/kinds.ts'
import { StatusMark, statusOf } from '../../graph/status-mark.tsx'
import { SERVER } from '../../place.ts'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { deleting, JobActions } from './actions.tsx'
import { bodyOf } from './again.ts'
import { Gantt } from './gantt.tsx'
import classes from './task.module.css'
import { TaskDetails } from './task-details.tsx'
import { culpritOf, ended, spanOf, titleOf, workOf } from './words.ts'

export function JobView({ id }: { id: string }) {
  const texts = useTexts()
  const queries = useQueryClient()
  const { data: job, error, refetch } = useQuery(jobQuery(useReforge(), id))
  const [isGone, setGone] = useState(false)
  useLive(({ type, data }) => {
    // Whoever deletes it here is led on anyway.
    if (type === 'job_deleted' && data.id === id && !queries.isMutating({ mutationKey: deleting(id) })) setGone(true)
  })
  if (isGone || (error instanceof ReforgeError && error.status === 404)) return <Gone />
  if (error) return <ErrorBox error={error} onRetry={() => void refetch()} />
  if (!job) return <Skeleton height={420} />
  return (
    <Stack gap="sm">
      <Back />
      <PageFrame title={titleOf(job, texts)} lead={workOf(job, texts)} actions={<JobActions job={job} />}>
        <Facts job={job} />
        <Trouble job={job} />
        <Work job={job} />
        <AsCode job={job} />
      </PageFrame>
    </Stack>
  )
}

function Back() {
  const { job: texts } = useTexts().jobs
  return (
    <Anchor component={Link} href="/jobs" size="sm" w="fit-content">
      <Group gap={4} component="span">
        <IconArrowLeft size={16} aria-hidden="true" />
        {texts.back}
      </Group>
    </Anchor>
  )
}

function Gone() {
  const { job: texts } = useTexts().jobs
  return (
    <PageFrame title={texts.goneTitle} lead={texts.goneLead}>
      <Button component={Link} href="/jobs" variant="default" w="fit-content">
        {texts.back}
      </Button>
    </PageFrame>
  )
}

function Facts({ job }: { job: Job }) {
  const { job: texts } = useTexts().jobs
  const now = useNow(ended(job) ? 3_600_000 : 500)
  const took = spanOf(job, now)
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{useTexts().jobs.list.status}</dt>
        <dd aria-live="polite">
          <StatusMark status={statusOf(job)} />
        </dd>
      </div>
      <div>
        <dt>{texts.created}</dt>
        <dd>
          <When at={job.createdAt} />
        </dd>
      </div>
      {took !== null && (
        <div>
          <dt>{texts.took}</dt>
          <dd>{readableDuration(took)}</dd>
        </div>
      )}
      {job.tag && (
        <div>
          <dt>{texts.tag}</dt>
          <dd>
            <Badge color="gray" maw={320} title={job.tag}>
              {job.tag}
            </Badge>
          </dd>
        </div>
      )}
      <div>
        <dt>{texts.recordGoes}</dt>
        <dd>
          <When at={job.expiresAt} />
        </dd>
      </div>
      <div>
        <dt>{texts.id}</dt>
        <dd>
          <Code>{job.id}</Code>
          <CopyButton value={job.id} label={texts.copyId} />
        </dd>
      </div>
    </dl>
  )
}

function Trouble({ job }: { job: Job }) {
  if (job.status !== 'failed') return null
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />}>
      <Text size="sm">{culpritOf(job)?.result.msg ?? job.result.msg}</Text>
    </Alert>
  )
}

function Work({ job }: { job: Job }) {
  const { job: texts } = useTexts().jobs
  const [chosen, choose] = useState<string>()
  const tasks = job.tasks ?? []
  const task = tasks.find(({ id }) => id === chosen) ?? likeliest(job)
  return (
    <>
      <JobGraph tasks={tasks} selected={task?.id} onSelect={choose} label={texts.graph} />
      {task && <TaskDetails key={task.id} task={task} job={job} />}
      <Paper component="section" aria-labelledby="times">
        <Title order={2} id="times" mb="sm">
          {texts.times}
        </Title>
        <Gantt job={job} />
      </Paper>
    </>
  )
}

/** What one most likely wants to see: what failed, or what waits for a file, or what came out. */
const likeliest = (job: Job) =>
  culpritOf(job) ??
  job.tasks?.find(({ result }) => result.form) ??
  job.tasks?.findLast(({ operation }) => kindOf(operation) === 'export') ??
  job.tasks?.at(-1)

function AsCode({ job }: { job: Job }) {
  const { job: texts } = useTexts().jobs
  const files = Object.fromEntries(
    (job.tasks ?? []).flatMap(({ name, operation, result }) =>
      operation === 'import/upload' && result.filename ? [[name, result.filename]] : [],
    ),
  )
  return (
    <section aria-labelledby="code">
      <Title order={2} id="code">
        {texts.code}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.codeLead}
      </Text>
      <CodeBlock code={codeOf(bodyOf(job), { url: SERVER, files })} />
    </section>
  )
}
