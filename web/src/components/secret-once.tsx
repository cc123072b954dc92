/** A secret that is shown this one time, to be copied. */
import { Alert, Button, CopyButton, Group, Text } from '@mantine/core'
import { IconCheck, IconCopy, IconEye } from '@tabler/icons-react'
import { useTexts } from '../texts/texts.tsx'
import classes from './secret-once.module.css'

interface SecretOnceProps {
  label: string
  secret: string
  /** What happens when it is lost. */
  hint: string
}

export function SecretOnce({ label, secret, hint }: SecretOnceProps) {
  const { shared } = useTexts()
  return (
    <Alert icon={<IconEye />} variant="light" title={label}>
      <Text size="sm">{hint}</Text>
      <Group mt="sm" gap="sm" align="stretch">
        <code className={classes.secret}>{secret}</code>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button
              onClick={copy}
              leftSection={copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
              h="auto"
              mih={36}
            >
              {copied ? shared.copied : shared.copy}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Alert>
  )
}
