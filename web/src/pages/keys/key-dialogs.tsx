/** The dialogs in which a key is made (and shown once) or changed. */
import { Button, Group, Modal, Stack } from '@mantine/core'
import type { Key } from '@reforge/sdk'
import { FreshKey } from '../../components/fresh-key.tsx'
import { useSaving } from '../../data/use-saving.ts'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { KeyForm, type KeyWish } from './key-form.tsx'

export function NewKeyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { keys: texts } = useTexts()
  const reforge = useReforge()
  const { saving: make, close } = useSaving({
    save: (wish: KeyWish) => reforge.account.keys.create(wish),
    list: 'keys',
    onClose,
  })
  const secret = make.data?.key
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={secret ? texts.fresh.title : texts.form.newTitle}
      size={secret ? 'lg' : 'md'}
      // One click beside it, and the key would be lost.
      closeOnClickOutside={!secret}
    >
      {secret ? (
        <Stack>
          <FreshKey secret={secret} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {texts.fresh.done}
            </Button>
          </Group>
        </Stack>
      ) : (
        <KeyForm pending={make.isPending} error={make.error} onCancel={close} onWish={(wish) => make.mutate(wish)} />
      )}
    </Modal>
  )
}

/** `known` null: closed. */
export function ChangeKeyDialog({ known, onClose }: { known: Key | null; onClose: () => void }) {
  const { keys: texts } = useTexts()
  const reforge = useReforge()
  const { saving: change, close } = useSaving({
    save: ({ id, wish: { name, budget } }: { id: string; wish: KeyWish }) =>
      reforge.account.keys.update(id, { name, budget }),
    list: 'keys',
    said: texts.changed,
    onClose,
  })
  return (
    <Modal opened={known !== null} onClose={close} title={known && texts.form.editTitle(known.name)}>
      {known && (
        <KeyForm
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
