/** An error as people should see it: what went wrong in one sentence, the rest behind a fold. */
import { Alert, Button, Center, Group, List, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ReforgeError } from '@reforge/sdk'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type Texts, useTexts } from '../texts/texts.tsx'

/** The server's own words where there are any. */
export function wordsOf(error: unknown, { shared }: Pick<Texts, 'shared'>): string {
  if (!(error instanceof ReforgeError)) return shared.unknownError
  if (error.status === 0 && error.code === 'network_error') return shared.unreachable
  return error.message
}

interface ErrorBoxProps {
  error: unknown
  onRetry?: (() => void) | undefined
  /** Nothing else is on the page. */
  alone?: boolean
}

export function ErrorBox({ error, onRetry, alone = false }: ErrorBoxProps) {
  const texts = useTexts()
  const { errors = [], requestId = '' } = error instanceof ReforgeError ? error : {}
  const box = (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} role="alert" maw={alone ? 560 : undefined}>
      <Text size="sm">{wordsOf(error, texts)}</Text>
      {(errors.length > 0 || requestId) && (
        <details>
          <Text component="summary" size="sm" mt={4}>
            {texts.shared.details}
          </Text>
          <List size="sm" mt={4}>
            {errors.map(({ path, message }) => (
              <List.Item key={path + message}>
                {path} {message}
              </List.Item>
            ))}
            {requestId && <List.Item>{texts.shared.requestId(requestId)}</List.Item>}
          </List>
        </details>
      )}
      {onRetry && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={onRetry}>
            {texts.shared.retry}
          </Button>
        </Group>
      )}
    </Alert>
  )
  return alone ? <Center mih="60vh">{box}</Center> : box
}

/** For what has no place of its own on the page: `something().catch(notifyError)`. */
export function useNotifyError(): (error: unknown) => void {
  const texts = useTexts()
  return (error) => void notifications.show({ message: wordsOf(error, texts), color: 'red', role: 'alert' })
}
