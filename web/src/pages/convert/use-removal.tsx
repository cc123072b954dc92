/** Takes files off the list, with a way back. */
import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTexts } from '../../texts/texts.tsx'
import type { List } from './list.ts'

export function useRemoval(list: List) {
  const { convert: texts, shared } = useTexts()
  return (ids: readonly string[]) => {
    const restore = list.remove(ids)
    const id = notifications.show({
      message: (
        <Group justify="space-between" wrap="nowrap">
          {texts.removed(ids.length)}
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              restore()
              notifications.hide(id)
            }}
          >
            {shared.undo}
          </Button>
        </Group>
      ),
      autoClose: 8_000,
    })
  }
}
