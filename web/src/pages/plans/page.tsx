/** Plans: what there is, new ones, changes. One that somebody has stays. */
import { ActionIcon, Badge, Button, Menu, Skeleton, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import type { Plan } from '@reforge/sdk'
import { IconDots, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorBox, useNotifyError } from '../../components/error-box.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { Row, Rows } from '../../components/rows.tsx'
import { plansQuery } from '../../data/queries.ts'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { inWords, LIMITS } from './limits.ts'
import { PlanDialog } from './plan-dialog.tsx'

export function PlansPage() {
  const { plans: texts } = useTexts()
  const [open, setOpen] = useState<Plan | 'new' | null>(null)
  const { data, error, refetch } = useQuery(plansQuery(useReforge()))
  return (
    <PageFrame
      title={texts.title}
      lead={texts.lead}
      actions={
        <Button leftSection={<IconPlus size={18} />} onClick={() => setOpen('new')}>
          {texts.make}
        </Button>
      }
    >
      {error && <ErrorBox error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton h={160} />}
      {data && (
        <Rows label={texts.list}>
          {data.map((plan) => (
            <PlanRow key={plan.name} plan={plan} onChange={() => setOpen(plan)} />
          ))}
        </Rows>
      )}
      <PlanDialog plan={open} onClose={() => setOpen(null)} />
    </PageFrame>
  )
}

function PlanRow({ plan, onChange }: { plan: Plan; onChange: () => void }) {
  const { plans: texts } = useTexts()
  const limits = LIMITS.flatMap((limit) => inWords(plan, limit, texts) ?? [])
  return (
    <Row
      title={
        <>
          {plan.name}
          {plan.builtIn && <Badge color="gray">{texts.builtIn}</Badge>}
        </>
      }
      about={
        limits.length === 0
          ? texts.noLimits
          : limits.map((words) => (
              <Badge key={words} color="gray">
                {words}
              </Badge>
            ))
      }
      facts={texts.users(plan.users)}
      // The plan without limits is what it is called.
      actions={plan.builtIn && limits.length === 0 ? undefined : <PlanMenu plan={plan} onChange={onChange} />}
    />
  )
}

function PlanMenu({ plan, onChange }: { plan: Plan; onChange: () => void }) {
  const { plans: texts, shared } = useTexts()
  const reforge = useReforge()
  const queries = useQueryClient()
  const notifyError = useNotifyError()
  const remove = useMutation({
    mutationFn: () => reforge.admin.plans.delete(plan.name),
    onSuccess: () => {
      notifications.show({ message: texts.removed(plan.name), color: 'green' })
      return queries.invalidateQueries({ queryKey: ['plans'] })
    },
    onError: notifyError,
  })
  const ask = () =>
    modals.openConfirmModal({
      title: texts.removeTitle(plan.name),
      children: <Text size="sm">{texts.removeLead}</Text>,
      labels: { confirm: texts.remove, cancel: shared.cancel },
      confirmProps: { color: 'red' },
      onConfirm: () => remove.mutate(),
    })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={texts.menu(plan.name)}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={onChange}>
          {texts.change}
        </Menu.Item>
        {!plan.builtIn && (
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} />}
            disabled={plan.users > 0}
            onClick={ask}
            {...(plan.users > 0 && { title: texts.removeUsed })}
          >
            {texts.remove}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
