/** One user: who, on which plan, in which state, and what can be done. */
import { ActionIcon, Badge, Menu, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import type { TicketLink, User } from '@reforge/sdk'
import { IconDots, IconHistory, IconLink, IconLock, IconLockOpen, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useNotifyError } from '../../components/error-box.tsx'
import { Row } from '../../components/rows.tsx'
import { When } from '../../figures/when.tsx'
import { useSession } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'

interface UserRowProps {
  known: User
  onChange: () => void
  onLink: (link: TicketLink) => void
  onRemove: () => void
}

export function UserRow({ known, ...does }: UserRowProps) {
  const { users: texts } = useTexts()
  const { user: self } = useSession()
  const { email, role, plan, hasPassword, createdAt, seenAt, suspendedAt } = known
  return (
    <Row
      title={
        <>
          {email}
          {known.id === self?.id && <Badge color="ember">{texts.you}</Badge>}
          {suspendedAt && <Badge color="red">{texts.suspended}</Badge>}
          {!hasPassword && role !== 'guest' && (
            <Badge color="yellow">{seenAt || known.id === self?.id ? texts.noPassword : texts.invited}</Badge>
          )}
        </>
      }
      about={
        <>
          <Badge color={role === 'admin' ? 'blue' : 'gray'}>{texts.roles[role]}</Badge>
          <span>{texts.plan(plan)}</span>
        </>
      }
      facts={
        <>
          <Text size="sm">
            {seenAt ? (
              <>
                {texts.seen} <When at={seenAt} />
              </>
            ) : (
              texts.neverSeen
            )}
          </Text>
          <Text size="xs" c="dimmed">
            {texts.since} <When at={createdAt} />
          </Text>
        </>
      }
      actions={<UserMenu known={known} {...does} />}
    />
  )
}

function useSuspending(known: User) {
  const { users: texts, shared } = useTexts()
  const { reforge } = useSession()
  const queries = useQueryClient()
  const notifyError = useNotifyError()
  const turn = useMutation({
    mutationFn: (suspended: boolean) => reforge.admin.users.update(known.id, { suspended }),
    onSuccess: (_, suspended) => {
      const message = suspended ? texts.suspendedNow(known.email) : texts.resumed(known.email)
      notifications.show({ message, color: 'green' })
      return queries.invalidateQueries({ queryKey: ['users'] })
    },
    onError: notifyError,
  })
  const suspend = () =>
    modals.openConfirmModal({
      title: texts.suspendTitle(known.email),
      children: <Text size="sm">{texts.suspendLead}</Text>,
      labels: { confirm: texts.suspend, cancel: shared.cancel },
      confirmProps: { color: 'red' },
      onConfirm: () => turn.mutate(true),
    })
  return { suspend, resume: () => turn.mutate(false) }
}

function UserMenu({ known, onChange, onLink, onRemove }: UserRowProps) {
  const { users: texts } = useTexts()
  const { reforge } = useSession()
  const notifyError = useNotifyError()
  const { suspend, resume } = useSuspending(known)
  const reset = useMutation({
    mutationFn: () => reforge.admin.users.reset(known.id),
    onSuccess: onLink,
    onError: notifyError,
  })
  const isGuest = known.role === 'guest'
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={texts.menu(known.email)}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!isGuest && (
          <>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={onChange}>
              {texts.change}
            </Menu.Item>
            <Menu.Item leftSection={<IconLink size={16} />} onClick={() => reset.mutate()}>
              {known.hasPassword ? texts.reset : texts.again}
            </Menu.Item>
          </>
        )}
        <Menu.Item leftSection={<IconHistory size={16} />} component={Link} href={`/audit/${known.id}`}>
          {texts.audit}
        </Menu.Item>
        <Menu.Divider />
        {known.suspendedAt ? (
          <Menu.Item leftSection={<IconLockOpen size={16} />} onClick={resume}>
            {texts.resume}
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconLock size={16} />} onClick={suspend}>
            {texts.suspend}
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={onRemove}>
          {texts.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
