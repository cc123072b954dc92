/** One webhook: whether it is on and why not, its events, a test, its secret, and what it was told. */
import { Alert, Anchor, Badge, Group, Paper, Skeleton, Switch } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ReforgeError, type Webhook } from '@reforge/sdk'
import { IconArrowLeft, IconPlugOff } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { ErrorBox, useNotifyError } from '../../components/error-box.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Deliveries } from './deliveries.tsx'
import { Events } from './events.tsx'
import { WebhookActions } from './webhook-actions.tsx'

export function OneWebhook({ id }: { id: string }) {
  const { webhooks: texts } = useTexts()
  const reforge = useReforge()
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', id],
    queryFn: () => reforge.webhooks.get(id),
  })
  const back = (
    <Anchor component={Link} href="/webhooks" size="sm">
      <Group gap={4} component="span">
        <IconArrowLeft size={16} aria-hidden="true" /> {texts.back}
      </Group>
    </Anchor>
  )
  if (error instanceof ReforgeError && error.status === 404)
    return (
      <PageFrame title={texts.gone.title} lead={texts.gone.lead}>
        {back}
      </PageFrame>
    )
  return (
    <PageFrame title={texts.title} lead={data?.url} actions={data && <WebhookActions known={data} />}>
      {back}
      {error && <ErrorBox error={error} onRetry={refetch} />}
      {data ? <State known={data} /> : !error && <Skeleton h={100} />}
      <Deliveries webhook={id} />
    </PageFrame>
  )
}

function State({ known }: { known: Webhook }) {
  const { webhooks: texts } = useTexts()
  const reforge = useReforge()
  const queries = useQueryClient()
  const notifyError = useNotifyError()
  const turn = useMutation({
    mutationFn: (enabled: boolean) => reforge.webhooks.update(known.id, { enabled }),
    onSuccess: (changed) => {
      queries.setQueryData(['webhooks', known.id], changed)
      void queries.invalidateQueries({ queryKey: ['webhooks'] })
      void queries.invalidateQueries({ queryKey: ['deliveries'] })
      notifications.show({ message: changed.enabled ? texts.switchedOn : texts.switchedOff, color: 'green' })
    },
    onError: notifyError,
  })
  return (
    <Paper>
      <Group justify="space-between">
        <Group gap="xs">
          <Badge color={known.enabled ? 'green' : 'gray'}>{known.enabled ? texts.on : texts.off}</Badge>
          <Events events={known.events} />
        </Group>
        <Switch
          label={texts.switch}
          labelPosition="left"
          checked={known.enabled}
          disabled={turn.isPending}
          onChange={({ currentTarget }) => turn.mutate(currentTarget.checked)}
        />
      </Group>
      {!known.enabled && (
        <Alert mt="md" variant="light" color={known.reason ? 'red' : 'gray'} icon={<IconPlugOff />}>
          {known.reason ?? texts.offBy}
        </Alert>
      )}
    </Paper>
  )
}
