/** What can be done with a whole job: cancel it, run it again, take it to the builder, delete it. */
import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import type { Job } from '@reforge/sdk'
import { IconBan, IconDots, IconRefresh, IconShare3, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useNotifyError } from '../../components/error-box.tsx'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { AgainDialog } from './again-dialog.tsx'
import { ended } from './words.ts'

/** Names the deletion of a job while it goes on. */
export const deleting = (id: string) => ['delete', 'job', id]

export function JobActions({ job }: { job: Job }) {
  const { jobs, shared } = useTexts()
  const texts = jobs.job
  const [, navigate] = useLocation()
  const reforge = useReforge()
  const queries = useQueryClient()
  const notifyError = useNotifyError()
  const [asking, setAsking] = useState(false)
  const cancel = useMutation({
    mutationFn: () => reforge.jobs.cancel(job.id),
    onSuccess: (now) => {
      queries.setQueryData(['job', job.id], now)
      notifications.show({ message: texts.canceled })
    },
    onError: notifyError,
  })
  const erase = useMutation({
    mutationKey: deleting(job.id),
    mutationFn: () => reforge.jobs.delete(job.id),
    onSuccess: () => {
      notifications.show({ message: texts.deleted })
      navigate('/jobs')
    },
    onError: notifyError,
  })
  const askToDelete = () =>
    modals.openConfirmModal({
      title: texts.deleteTitle,
      children: <Text size="sm">{texts.deleteLead}</Text>,
      labels: { confirm: texts.delete, cancel: shared.cancel },
      confirmProps: { color: 'red' },
      onConfirm: () => erase.mutate(),
    })
  return (
    <>
      {!ended(job) && (
        <Button
          variant="default"
          leftSection={<IconBan size={18} />}
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          {texts.cancel}
        </Button>
      )}
      <Button
        variant={ended(job) ? 'filled' : 'default'}
        leftSection={<IconRefresh size={18} />}
        onClick={() => setAsking(true)}
      >
        {texts.again}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={texts.more}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconShare3 size={16} />} onClick={() => navigate(`/builder/job/${job.id}`)}>
            {texts.edit}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={askToDelete}>
            {texts.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asking && <AgainDialog job={job} onClose={() => setAsking(false)} />}
    </>
  )
}
