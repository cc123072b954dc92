/** Webhooks: all of them with what was delivered, or one of them. */
import { Anchor, Badge, Button, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRoute } from 'wouter'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { Row, Rows } from '../../components/rows.tsx'
import { When } from '../../figures/when.tsx'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { AccountSecret } from './account-secret.tsx'
import { Deliveries } from './deliveries.tsx'
import { Events } from './events.tsx'
import { OneWebhook } from './one-webhook.tsx'
import { AddWebhookDialog } from './webhook-dialogs.tsx'

export function WebhooksPage() {
  const [matches, params] = useRoute('/webhooks/:id')
  return matches && params ? <OneWebhook key={params.id} id={params.id} /> : <AllWebhooks />
}

/** As many as one may have. */
const ALL = { per_page: 50 }

function AllWebhooks() {
  const { webhooks: texts } = useTexts()
  const reforge = useReforge()
  const [adding, dialog] = useDisclosure()
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks'],
    queryFn: async () => (await reforge.webhooks.list(ALL)).docs,
  })
  const button = (
    <Button leftSection={<IconPlus size={18} />} onClick={dialog.open}>
      {texts.add}
    </Button>
  )
  return (
    <PageFrame title={texts.title} lead={texts.lead} actions={data?.length !== 0 && button}>
      {error && <ErrorBox error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton h={140} />}
      {data?.length === 0 && (
        <EmptyState icon={IconWebhook} title={texts.empty.title} lead={texts.empty.lead}>
          {button}
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <Rows label={texts.list}>
          {data.map(({ id, url, events, enabled, reason, createdAt }) => (
            <Row
              key={id}
              title={
                <>
                  <Anchor component={Link} href={`/webhooks/${id}`} c="inherit" fw={600}>
                    {url}
                  </Anchor>
                  <Badge color={enabled ? 'green' : 'gray'}>{enabled ? texts.on : texts.off}</Badge>
                </>
              }
              about={
                <>
                  <Events events={events} />
                  {reason && <span>{reason}</span>}
                </>
              }
              facts={<When at={createdAt} />}
            />
          ))}
        </Rows>
      )}
      <Deliveries />
      <AccountSecret />
      <AddWebhookDialog opened={adding} onClose={dialog.close} />
    </PageFrame>
  )
}
