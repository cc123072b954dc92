/** Copies a text and says so. */
import { ActionIcon, CopyButton as Copying, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTexts } from '../texts/texts.tsx'

export function CopyButton({ value, label }: { value: string; label?: string }) {
  const { shared } = useTexts()
  return (
    <Copying value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? shared.copied : (label ?? shared.copy)}>
          <ActionIcon onClick={copy} aria-label={copied ? shared.copied : (label ?? shared.copy)}>
            {copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copying>
  )
}
