/** Takes files off the list, with a way back. */
import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../../texts/texts.tsx'
import { isRunning } from '../../tools/run.ts'
import { forget } from '../../tools/subject.ts'
import type { Item } from './items.ts'
import { merging, run } from './state.ts'

export function useRemoval() {
  const { merge: texts, shared } = useTexts()
  const queries = useQueryClient()
  return (kept: readonly Item[]) => {
    const before = merging.get().items
    merging.set({ items: kept })
    const gone = before.filter((item) => !kept.includes(item)).map(({ subject }) => subject)
    if (!isRunning(run.get().state)) forget(queries, gone)
    const id = notifications.show({
      message: (
        <Group justify="space-between" wrap="nowrap">
          {texts.removed(before.length - kept.length)}
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              merging.set({ items: before })
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
