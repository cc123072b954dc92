/** The dialog in which a plan is made or changed. */
import { Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Plan, PlanBody } from '@reforge/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { PlanForm } from './plan-form.tsx'

/** `plan`: the one to change, `new` for another, null while it is closed. */
export function PlanDialog({ plan, onClose }: { plan: Plan | 'new' | null; onClose: () => void }) {
  const { plans: texts } = useTexts()
  const reforge = useReforge()
  const queries = useQueryClient()
  const known = plan === 'new' || plan === null ? undefined : plan
  const save = useMutation({
    mutationFn: ({ name, ...limits }: PlanBody) =>
      known ? reforge.admin.plans.update(known.name, limits) : reforge.admin.plans.create({ name, ...limits }),
    onSuccess: ({ name }) => {
      void queries.invalidateQueries({ queryKey: ['plans'] })
      notifications.show({ message: known ? texts.changed(name) : texts.made(name), color: 'green' })
      close()
    },
  })
  const close = () => {
    onClose()
    save.reset()
  }
  return (
    <Modal
      opened={plan !== null}
      onClose={close}
      size="lg"
      title={known ? texts.changeTitle(known.name) : texts.newTitle}
    >
      <PlanForm
        key={known?.name ?? 'new'}
        known={known}
        pending={save.isPending}
        error={save.error}
        onCancel={close}
        onWish={(wish) => save.mutate(wish)}
      />
    </Modal>
  )
}
