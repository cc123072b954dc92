/** What was told, newest first, each with its attempts behind a fold. Looks again while something is on its way. */
import { ActionIcon, Badge, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Delivery } from '@reforge/sdk'
import { IconChevronDown, IconChevronUp, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { ErrorBox, useNotifyError } from '../../components/error-box.tsx'
import { Pager } from '../../components/pager.tsx'
import { Row, Rows } from '../../components/rows.tsx'
import { useLive } from '../../data/live.tsx'
import { When } from '../../figures/when.tsx'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Attempts } from './attempts.tsx'
import classes from './deliveries.module.css'

const COLORS = { waiting: 'blue', delivered: 'green', failed: 'red' } as const
const PER_PAGE = 20
/** Milliseconds between two looks: while one waits it may be sent this moment, whenever its next try is due. */
const SOON = 2000
const SELDOM = 20_000

const A_MOMENT = 15_000

const isDueNow = ({ status, nextAttemptAt }: Delivery): boolean =>
  status === 'waiting' && (nextAttemptAt === null || Date.parse(nextAttemptAt) - Date.now() < A_MOMENT)

export function Deliveries({ webhook }: { webhook?: string }) {
  const texts = useTexts().webhooks.deliveries
  const reforge = useReforge()
  const queries = useQueryClient()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery({
    queryKey: ['deliveries', webhook ?? 'all', page],
    queryFn: () => reforge.webhooks.deliveries(webhook, { page, per_page: PER_PAGE }),
    refetchInterval: ({ state }) => (state.data?.docs.some(({ status }) => status === 'waiting') ? SOON : SELDOM),
    placeholderData: (before) => before,
  })
  // A job's beginning and end are told to webhooks, too.
  useLive((event) => {
    if (event.type.startsWith('job_')) void queries.invalidateQueries({ queryKey: ['deliveries'] })
  })
  return (
    <Stack gap="sm" component="section" aria-label={texts.title}>
      <div>
        <Title order={2}>{texts.title}</Title>
        <Text size="sm" c="dimmed">
          {webhook ? texts.lead : texts.leadAll}
        </Text>
      </div>
      {error && <ErrorBox error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton h={120} />}
      {data?.totalDocs === 0 && <Text c="dimmed">{webhook ? texts.none : texts.noneAll}</Text>}
      {data && data.totalDocs > 0 && (
        <Rows label={texts.title}>
          {data.docs.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} withUrl={webhook === undefined} />
          ))}
        </Rows>
      )}
      {data && <Pager page={page} pages={data.totalPages} total={data.totalDocs} onTurn={setPage} />}
    </Stack>
  )
}

function Next({ at }: { at: string }) {
  const texts = useTexts().webhooks.deliveries
  return (
    <>
      {texts.next} <When at={at} />
    </>
  )
}

function DeliveryRow({ delivery, withUrl }: { delivery: Delivery; withUrl: boolean }) {
  const { webhooks } = useTexts()
  const texts = webhooks.deliveries
  const [opened, setOpened] = useState(false)
  const reforge = useReforge()
  const queries = useQueryClient()
  const notifyError = useNotifyError()
  const resend = useMutation({
    mutationFn: () => reforge.webhooks.resend(delivery.id),
    onSuccess: () => {
      notifications.show({ message: texts.resent, color: 'green' })
      return queries.invalidateQueries({ queryKey: ['deliveries'] })
    },
    onError: notifyError,
  })
  const { event, status, attempts, nextAttemptAt, createdAt, job } = delivery
  const name = webhooks.events[event].name
  return (
    <Row
      title={
        <>
          <Badge color={COLORS[status]}>{texts.statuses[status]}</Badge>
          {name}
        </>
      }
      about={
        <>
          {withUrl && <span className={classes.url}>{delivery.url}</span>}
          <span>{texts.attempts(attempts)}</span>
          {status === 'waiting' && nextAttemptAt && (
            <span>{isDueNow(delivery) ? texts.soon : <Next at={nextAttemptAt} />}</span>
          )}
          {job && (
            <Text component={Link} href={`/jobs/${job}`} size="sm" c="ember">
              {texts.job} {job.slice(-6)}
            </Text>
          )}
        </>
      }
      facts={<When at={createdAt} />}
      actions={
        <Group gap={4} wrap="nowrap">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={14} />}
            loading={resend.isPending}
            onClick={() => resend.mutate()}
          >
            {texts.resend}
          </Button>
          <ActionIcon
            aria-label={opened ? texts.hide(name) : texts.show(name)}
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            {opened ? <IconChevronUp size={18} /> : <IconChevronDown size={18} />}
          </ActionIcon>
        </Group>
      }
    >
      {opened && <Attempts delivery={delivery} />}
    </Row>
  )
}
