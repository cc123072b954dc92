/** The file that a task waits for, given here. */
import { Alert, Button, FileButton, Group, Text } from '@mantine/core'
import type { Task } from '@reforge/sdk'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useNotifyError } from '../../components/error-box.tsx'
import { ProgressLine } from '../../components/progress-line.tsx'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { send } from '../../work/send.ts'

export function SendFile({ task }: { task: Task }) {
  const { task: texts } = useTexts().jobs
  const reforge = useReforge()
  const notifyError = useNotifyError()
  const [percent, setPercent] = useState<number | null>(null)
  const take = (file: File | null) => {
    if (!file) return
    setPercent(0)
    const { signal } = new AbortController()
    send(reforge, task, file, { onProgress: setPercent, signal })
      .catch(notifyError)
      .finally(() => setPercent(null))
  }
  return (
    <Alert variant="light" color="gray" icon={<IconUpload />}>
      {percent === null ? (
        <Group justify="space-between">
          <Text size="sm">{texts.waits}</Text>
          <FileButton onChange={take}>
            {(props) => (
              <Button {...props} size="xs">
                {texts.send}
              </Button>
            )}
          </FileButton>
        </Group>
      ) : (
        <ProgressLine label={texts.sending} percent={percent} />
      )}
    </Alert>
  )
}
