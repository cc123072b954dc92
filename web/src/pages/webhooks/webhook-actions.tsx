/** What can be done with one webhook: try it, change it, exchange its secret, delete it. */
import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import type { Webhook } from '@reforge/sdk'
import { IconDots, IconKey, IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useNotifyError } from '../../components/error-box.tsx'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { ChangeWebhookDialog, SecretDialog } from './webhook-dialogs.tsx'

export function WebhookActions({ known }: { known: Webhook }) {
  const { webhooks: texts, shared } = useTexts()
  const reforge = useReforge()
  const queries = useQueryClient()
  const notifyError = useNotifyError()
  const [, navigate] = useLocation()
  const [editing, dialog] = useDisclosure()
  const [secret, setSecret] = useState<string | null>(null)
  const test = useMutation({
    mutationFn: () => reforge.webhooks.test(known.id),
    onSuccess: () => {
      notifications.show({ message: texts.tested, color: 'green' })
      return queries.invalidateQueries({ queryKey: ['deliveries'] })
    },
    onError: notifyError,
  })
  const rotate = useMutation({
    mutationFn: () => reforge.webhooks.rotate(known.id),
    onSuccess: (changed) => setSecret(changed.secret),
    onError: notifyError,
  })
  const remove = useMutation({
    mutationFn: () => reforge.webhooks.delete(known.id),
    onSuccess: () => {
      notifications.show({ message: texts.removed, color: 'green' })
      navigate('/webhooks')
      queries.removeQueries({ queryKey: ['webhooks', known.id] })
      return queries.invalidateQueries({ queryKey: ['webhooks'] })
    },
    onError: notifyError,
  })
  const confirm = (title: string, lead: string, label: string, how: () => void, color?: string) =>
    modals.openConfirmModal({
      title,
      children: <Text size="sm">{lead}</Text>,
      labels: { confirm: label, cancel: shared.cancel },
      ...(color && { confirmProps: { color } }),
      onConfirm: how,
    })
  return (
    <>
      <Button
        leftSection={<IconSend size={18} />}
        onClick={() => test.mutate()}
        loading={test.isPending}
        disabled={!known.enabled}
      >
        {texts.test}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={texts.menu}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={dialog.open}>
            {texts.edit}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconKey size={16} />}
            onClick={() => confirm(texts.rotateTitle, texts.rotateLead, texts.rotate, () => rotate.mutate())}
          >
            {texts.rotate}
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} />}
            onClick={() => confirm(texts.removeTitle, texts.removeLead, texts.remove, () => remove.mutate(), 'red')}
          >
            {texts.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ChangeWebhookDialog known={known} opened={editing} onClose={dialog.close} />
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
    </>
  )
}
