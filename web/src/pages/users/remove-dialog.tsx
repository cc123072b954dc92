/** Deleting a user takes everything of theirs along: it wants the address typed. */
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { User } from '@reforge/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ErrorBox } from '../../components/error-box.tsx'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'

/** `known` null: closed. */
export function RemoveUserDialog({ known, onClose }: { known: User | null; onClose: () => void }) {
  const { users: texts } = useTexts()
  return (
    <Modal opened={known !== null} onClose={onClose} title={known && texts.removeTitle(known.email)}>
      {known && <Asking known={known} onClose={onClose} />}
    </Modal>
  )
}

function Asking({ known, onClose }: { known: User; onClose: () => void }) {
  const { users: texts, shared } = useTexts()
  const reforge = useReforge()
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const remove = useMutation({
    mutationFn: () => reforge.admin.users.delete(known.id),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['users'] })
      notifications.show({ message: texts.removed(known.email), color: 'green' })
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed === known.email) remove.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{texts.removeLead}</Text>
        <TextInput
          label={texts.removeType(known.email)}
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          data-autofocus
        />
        {remove.error && <ErrorBox error={remove.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {shared.cancel}
          </Button>
          <Button type="submit" color="red" loading={remove.isPending} disabled={typed !== known.email}>
            {texts.remove}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
