/** The dialogs in which a webhook is added or changed, and the one that shows its secret. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Webhook } from '@reforge/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { SecretOnce } from '../../components/secret-once.tsx'
import { useSaving } from '../../data/use-saving.ts'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { WebhookForm, type WebhookWish } from './webhook-form.tsx'

interface SecretProps {
  secret: string
  /** Whether there was one before. */
  rotated?: boolean
  onDone: () => void
}

function Secret({ secret, rotated = false, onDone }: SecretProps) {
  const texts = useTexts().webhooks.secret
  return (
    <Stack>
      <SecretOnce label={texts.label} secret={secret} hint={texts.hint} />
      {rotated && <Text size="sm">{texts.rotated}</Text>}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {texts.done}
        </Button>
      </Group>
    </Stack>
  )
}

/** `secret` null: closed. */
export function SecretDialog({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  const { webhooks: texts } = useTexts()
  return (
    <Modal opened={secret !== null} onClose={onClose} title={texts.secret.title} closeOnClickOutside={false}>
      {secret !== null && <Secret secret={secret} rotated onDone={onClose} />}
    </Modal>
  )
}

export function AddWebhookDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { webhooks: texts } = useTexts()
  const reforge = useReforge()
  const { saving: add, close } = useSaving({
    save: (wish: WebhookWish) => reforge.webhooks.create(wish),
    list: 'webhooks',
    onClose,
  })
  const secret = add.data?.secret
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={secret ? texts.secret.title : texts.form.title}
      closeOnClickOutside={!secret}
    >
      {secret ? (
        <Secret secret={secret} onDone={close} />
      ) : (
        <WebhookForm pending={add.isPending} error={add.error} onCancel={close} onWish={(wish) => add.mutate(wish)} />
      )}
    </Modal>
  )
}

interface ChangeProps {
  known: Webhook
  opened: boolean
  onClose: () => void
}

export function ChangeWebhookDialog({ known, opened, onClose }: ChangeProps) {
  const { webhooks: texts } = useTexts()
  const reforge = useReforge()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (wish: WebhookWish) => reforge.webhooks.update(known.id, wish),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['webhooks'] })
      notifications.show({ message: texts.changed, color: 'green' })
      close()
    },
  })
  const close = () => {
    onClose()
    change.reset()
  }
  return (
    <Modal opened={opened} onClose={close} title={texts.form.editTitle}>
      <WebhookForm
        known={known}
        pending={change.isPending}
        error={change.error}
        onCancel={close}
        onWish={(wish) => change.mutate(wish)}
      />
    </Modal>
  )
}
