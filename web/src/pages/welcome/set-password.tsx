/** Asks for the password, and on the first start for the e-mail address; signs in with them. */
import { Button, Stack, Text, TextInput } from '@mantine/core'
import type { Ticket } from '@reforge/sdk'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ErrorBox } from '../../components/error-box.tsx'
import { NewPassword, useNewPassword } from '../../components/new-password.tsx'
import { Door } from '../../session/door.tsx'
import { useSession } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'

interface SetPasswordProps {
  ticket: string
  about: Ticket
  onDone: () => void
}

export function SetPassword({ ticket, about, onDone }: SetPasswordProps) {
  const { welcome: texts } = useTexts()
  const { redeem } = useSession()
  const [email, setEmail] = useState('')
  const [tried, setTried] = useState(false)
  const fresh = useNewPassword()
  const isFirst = about.kind === 'first'
  const bad = isFirst && !/^[^\s@]+@[^\s@]+$/.test(email.trim())
  const set = useMutation({
    mutationFn: (password: string) => redeem({ ticket, password, ...(isFirst && { email: email.trim() }) }),
    onSuccess: onDone,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const password = fresh.take()
    if (password !== null && !bad) set.mutate(password)
  }
  const { title, lead } = texts.kinds[about.kind]
  return (
    <Door title={title} lead={lead}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {isFirst ? (
            <TextInput
              label={texts.email}
              description={texts.emailHint}
              type="email"
              autoComplete="username"
              value={email}
              error={tried && bad && texts.emailBad}
              onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            />
          ) : (
            <>
              <Text fw={600}>{about.email}</Text>
              {/* For password managers: whose password it is. */}
              <input type="text" name="username" autoComplete="username" value={about.email ?? ''} readOnly hidden />
            </>
          )}
          <NewPassword state={fresh} texts={texts} />
          {set.error && <ErrorBox error={set.error} />}
          <Button type="submit" loading={set.isPending}>
            {texts.set}
          </Button>
        </Stack>
      </form>
    </Door>
  )
}
