/** The secret that signs messages to addresses which jobs name themselves. */
import { Button, Group, Paper, PasswordInput, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { CopyButton } from '../../components/copy-button.tsx'
import { useNotifyError } from '../../components/error-box.tsx'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function AccountSecret() {
  const texts = useTexts().webhooks.account
  const reforge = useReforge()
  const notifyError = useNotifyError()
  const ask = useMutation({
    mutationFn: (how: 'show' | 'rotate') =>
      how === 'show' ? reforge.webhooks.secret() : reforge.webhooks.rotateSecret(),
    onSuccess: (_, how) => how === 'rotate' && notifications.show({ message: texts.rotated, color: 'green' }),
    onError: notifyError,
  })
  const secret = ask.data?.secret
  return (
    <Paper component="section" aria-label={texts.title}>
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2}>{texts.title}</Title>
          <Text size="sm" c="dimmed">
            {texts.lead}
          </Text>
        </div>
        <Button variant="default" loading={ask.isPending} onClick={() => (secret ? ask.reset() : ask.mutate('show'))}>
          {secret ? texts.hide : texts.show}
        </Button>
      </Group>
      {secret && (
        <Group mt="md" gap="xs" wrap="nowrap">
          <PasswordInput value={secret} readOnly aria-label={texts.title} flex={1} defaultVisible />
          <CopyButton value={secret} />
          <Button variant="default" onClick={() => ask.mutate('rotate')}>
            {texts.rotate}
          </Button>
        </Group>
      )}
    </Paper>
  )
}
