/** Keys: list, make, change, revoke. A key is shown once. */
import { Button, Skeleton, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import type { Key } from '@reforge/sdk'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorBox, useNotifyError } from '../../components/error-box.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { Rows } from '../../components/rows.tsx'
import { useSession } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { ChangeKeyDialog, NewKeyDialog } from './key-dialogs.tsx'
import { KeyRow } from './key-row.tsx'

function useRevoke() {
  const { keys: texts, shared } = useTexts()
  const { reforge, signOut } = useSession()
  const queries = useQueryClient()
  const notifyError = useNotifyError()
  const revoke = useMutation({
    mutationFn: ({ id }: Key) => reforge.account.keys.revoke(id),
    onSuccess: (_, { name, current }) => {
      notifications.show({ message: texts.revoked(name), color: 'green' })
      if (current) return signOut()
      return queries.invalidateQueries({ queryKey: ['keys'] })
    },
    onError: notifyError,
  })
  return (known: Key) =>
    modals.openConfirmModal({
      title: texts.revokeTitle(known.name),
      children: (
        <Text size="sm">
          {texts.revokeLead} {known.current && texts.revokeOwn}
        </Text>
      ),
      labels: { confirm: texts.revoke, cancel: shared.cancel },
      confirmProps: { color: 'red' },
      onConfirm: () => revoke.mutate(known),
    })
}

export function KeysPage() {
  const { keys: texts } = useTexts()
  const { reforge } = useSession()
  const [making, dialog] = useDisclosure()
  const [changing, setChanging] = useState<Key | null>(null)
  const revoke = useRevoke()
  const { data, error, refetch } = useQuery({ queryKey: ['keys'], queryFn: () => reforge.account.keys.list() })
  const button = (
    <Button leftSection={<IconPlus size={18} />} onClick={dialog.open}>
      {texts.make}
    </Button>
  )
  return (
    <PageFrame title={texts.title} lead={texts.lead} actions={data?.length !== 0 && button}>
      {error && <ErrorBox error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton h={140} />}
      {data?.length === 0 && (
        <EmptyState icon={IconKey} title={texts.empty.title} lead={texts.empty.lead}>
          {button}
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <Rows label={texts.list}>
          {data.map((known) => (
            <KeyRow key={known.id} known={known} onChange={() => setChanging(known)} onRevoke={() => revoke(known)} />
          ))}
        </Rows>
      )}
      <NewKeyDialog opened={making} onClose={dialog.close} />
      <ChangeKeyDialog known={changing} onClose={() => setChanging(null)} />
    </PageFrame>
  )
}
