/** The dialogs about users: inviting, changing, and links that are shown once. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { TicketLink, User } from '@reforge/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { SecretOnce } from '../../components/secret-once.tsx'
import { useSaving } from '../../data/use-saving.ts'
import { readableMoment } from '../../figures/figures.ts'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { UserForm, type UserWish } from './user-form.tsx'

interface HandOver {
  email: string
  link: TicketLink
}

function LinkToHandOver({ email, link, onDone }: HandOver & { onDone: () => void }) {
  const texts = useTexts().users.link
  return (
    <Stack>
      <SecretOnce label={texts.label} secret={link.url} hint={texts.inviteHint(email)} />
      <Text size="sm" c="dimmed">
        {texts.until} {readableMoment(Date.parse(link.expiresAt))}.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {texts.done}
        </Button>
      </Group>
    </Stack>
  )
}

/** `shown` null: closed. */
export function LinkDialog({ shown, onClose }: { shown: HandOver | null; onClose: () => void }) {
  const texts = useTexts().users.link
  return (
    <Modal opened={shown !== null} onClose={onClose} size="lg" title={texts.resetTitle} closeOnClickOutside={false}>
      {shown && <LinkToHandOver {...shown} onDone={onClose} />}
    </Modal>
  )
}

export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { users: texts } = useTexts()
  const reforge = useReforge()
  const queries = useQueryClient()
  const invite = useMutation({
    mutationFn: (wish: UserWish) => reforge.admin.users.invite(wish),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['users'] }),
  })
  const close = () => {
    onClose()
    invite.reset()
  }
  const made = invite.data
  return (
    <Modal
      opened={opened}
      onClose={close}
      size={made ? 'lg' : 'md'}
      title={made ? texts.link.inviteTitle : texts.form.title}
      closeOnClickOutside={!made}
    >
      {made ? (
        <LinkToHandOver email={made.email} link={made.invitation} onDone={close} />
      ) : (
        <UserForm
          pending={invite.isPending}
          error={invite.error}
          onCancel={close}
          onWish={(wish) => invite.mutate(wish)}
        />
      )}
    </Modal>
  )
}

/** `known` null: closed. */
export function ChangeUserDialog({ known, onClose }: { known: User | null; onClose: () => void }) {
  const { users: texts } = useTexts()
  const reforge = useReforge()
  const { saving: change, close } = useSaving({
    save: ({ id, wish: { role, plan } }: { id: string; wish: UserWish }) =>
      reforge.admin.users.update(id, { role, plan }),
    list: 'users',
    said: texts.changed,
    onClose,
  })
  return (
    <Modal opened={known !== null} onClose={close} title={known && texts.form.changeTitle(known.email)}>
      {known && (
        <UserForm
          known={known}
          pending={change.isPending}
          error={change.error}
          onCancel={close}
          onWish={(wish) => change.mutate({ id: known.id, wish })}
        />
      )}
    </Modal>
  )
}
