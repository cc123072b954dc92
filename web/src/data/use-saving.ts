/** What a dialog saves: the list it changes is asked for again; with `said` it tells so and closes, else it shows the answer. */
import { notifications } from '@mantine/notifications'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'

interface Saving<W, R> {
  save: (wish: W) => Promise<R>
  /** The noun that the keys of its queries begin with. */
  list: string
  said?: string
  onClose: () => void
}

export function useSaving<W, R>({
  save,
  list,
  said,
  onClose,
}: Saving<W, R>): {
  saving: UseMutationResult<R, Error, W>
  close: () => void
} {
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: save,
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: [list] })
      if (said === undefined) return
      notifications.show({ message: said, color: 'green' })
      close()
    },
  })
  function close() {
    onClose()
    saving.reset()
  }
  return { saving, close }
}
