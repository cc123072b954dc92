/** Says that live events have stopped, and when they are back. Silent as long as all is well. */
import { Alert } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useConnected } from '../data/live.tsx'
import { useTexts } from '../texts/texts.tsx'

export function ConnectionBanner() {
  const { shell } = useTexts()
  const connected = useConnected()
  const wasLost = useRef(false)
  useEffect(() => {
    if (connected && wasLost.current) notifications.show({ message: shell.back, color: 'green' })
    wasLost.current = connected === false
  }, [connected, shell])
  if (connected !== false) return null
  return (
    <Alert color="yellow" variant="light" icon={<IconPlugConnectedX />} role="status" mb="lg">
      {shell.lost}
    </Alert>
  )
}
