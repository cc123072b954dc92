/** Says what running a job again takes, asks for files that are gone, and runs it. */
import { Alert, Button, FileInput, Group, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Job } from '@reforge/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ErrorBox, useNotifyError } from '../../components/error-box.tsx'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { sendAll } from '../../work/send-all.ts'
import { againOf } from './again.ts'

export function AgainDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const { jobs, shared } = useTexts()
  const texts = jobs.again
  const reforge = useReforge()
  const notifyError = useNotifyError()
  const [, navigate] = useLocation()
  const [again] = useState(() => againOf(job, Date.now()))
  const [files, setFiles] = useState<Record<string, File | null>>({})
  const run = useMutation({
    mutationFn: () => reforge.jobs.create(again.body),
    onSuccess: (created) => {
      notifications.show({ message: texts.started, color: 'green' })
      // Goes on while the new job's page is looked at.
      sendAll(reforge, created, files).catch(notifyError)
      navigate(`/jobs/${created.id}`)
    },
  })
  const isReady = again.secrets.length === 0 && again.uploads.every((name) => files[name])
  return (
    <Modal opened onClose={onClose} title={texts.title}>
      <Stack>
        {again.secrets.length > 0 && <Alert color="yellow">{texts.secrets(again.secrets.join(', '))}</Alert>}
        {again.reused.length > 0 && <Text size="sm">{texts.reused(again.reused.length)}</Text>}
        {again.uploads.length > 0 && <Text size="sm">{texts.files}</Text>}
        {again.uploads.map((name) => (
          <FileInput
            key={name}
            label={texts.fileOf(name)}
            value={files[name] ?? null}
            onChange={(file) => setFiles((old) => ({ ...old, [name]: file }))}
            clearable
          />
        ))}
        {run.error && <ErrorBox error={run.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {shared.cancel}
          </Button>
          {again.secrets.length > 0 ? (
            <Button onClick={() => navigate(`/builder/job/${job.id}`)}>{jobs.job.edit}</Button>
          ) : (
            <Button disabled={!isReady} loading={run.isPending} onClick={() => run.mutate()} data-autofocus>
              {texts.run}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
