/** Changes the password of whoever is signed in by one. */
import { Button, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ErrorBox } from '../../components/error-box.tsx'
import { NewPassword, useNewPassword } from '../../components/new-password.tsx'
import { person, useSession } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function Password() {
  const texts = useTexts().settings.password
  const { by, user } = useSession()
  const [current, setCurrent] = useState('')
  const fresh = useNewPassword()
  const change = useMutation({
    mutationFn: (password: string) => person.password({ current, password }),
    onSuccess: () => {
      setCurrent('')
      fresh.clear()
      notifications.show({ message: texts.changed, color: 'green' })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const password = fresh.take()
    if (password !== null) change.mutate(password)
  }
  return (
    <Paper component="section" aria-label={texts.title}>
      <Title order={2}>{texts.title}</Title>
      <Text size="sm" c="dimmed" mb="md">
        {by === 'key' ? texts.byKey : texts.lead}
      </Text>
      {by === 'cookie' && (
        <form onSubmit={submit} noValidate>
          <Stack maw={420}>
            {/* For password managers: whose password it is. */}
            <input type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
            <PasswordInput
              label={texts.current}
              autoComplete="current-password"
              value={current}
              onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
            />
            <NewPassword state={fresh} texts={texts} />
            {change.error && <ErrorBox error={change.error} />}
            <Group>
              <Button type="submit" loading={change.isPending} disabled={current === ''}>
                {texts.change}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Paper>
  )
}
