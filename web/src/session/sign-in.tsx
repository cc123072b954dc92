/** Signing in: by e-mail and password, by the house's own provider, by a key, or as a guest where that is allowed. */
import { Alert, Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { ReforgeError } from '@reforge/sdk'
import { IconArrowRight } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { ErrorBox } from '../components/error-box.tsx'
import { SERVER } from '../place.ts'
import { useTexts } from '../texts/texts.tsx'
import { Door } from './door.tsx'
import { useSession } from './session.tsx'

const fieldOf = (event: FormEvent<HTMLFormElement>, name: string): string =>
  String(new FormData(event.currentTarget).get(name) ?? '')

export function SignInPage() {
  const { session: texts } = useTexts()
  const session = useSession()
  const [byKey, setByKey] = useState(session.firstStart)
  const [location, navigate] = useLocation()
  const enter = useMutation({ mutationFn: (how: () => Promise<unknown>) => how() })

  const go = (event: FormEvent<HTMLFormElement>, how: () => Promise<unknown>) => {
    event.preventDefault()
    enter.mutate(how, { onSuccess: () => location === '/sign-in' && navigate('/') })
  }
  return (
    <Door title={texts.title} lead={texts.lead}>
      <Stack>
        {session.firstStart && <Alert variant="light">{texts.firstStart}</Alert>}
        {byKey ? (
          <form onSubmit={(event) => go(event, withKey(event))}>
            <Stack>
              <PasswordInput
                name="key"
                label={texts.key}
                description={texts.keyHint}
                autoComplete="off"
                required
                withAsterisk={false}
              />
              {enter.error && <ErrorBox error={enter.error} />}
              <Button type="submit" loading={enter.isPending} rightSection={<IconArrowRight size={18} />}>
                {texts.continue}
              </Button>
            </Stack>
          </form>
        ) : (
          <form onSubmit={(event) => go(event, withPassword(event))}>
            <Stack>
              <TextInput
                name="email"
                type="email"
                label={texts.email}
                autoComplete="username"
                required
                withAsterisk={false}
              />
              <PasswordInput
                name="password"
                label={texts.password}
                autoComplete="current-password"
                required
                withAsterisk={false}
              />
              {enter.error && <ErrorBox error={enter.error} />}
              <Button type="submit" loading={enter.isPending}>
                {texts.signIn}
              </Button>
              <Text size="sm" c="dimmed">
                {texts.forgotten}
              </Text>
            </Stack>
          </form>
        )}
        <Divider label={texts.or} />
        {session.oidc && (
          <Button component="a" href={`${SERVER}/session/oidc`} variant="default">
            {texts.oidc(session.oidc.title)}
          </Button>
        )}
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => {
            enter.reset()
            setByKey(!byKey)
          }}
        >
          {byKey ? texts.withPassword : texts.withKey}
        </Anchor>
        {session.guests && (
          <Anchor href="#/" size="sm" ta="center">
            {texts.asGuest}
          </Anchor>
        )}
      </Stack>
    </Door>
  )

  // Fields are read now: afterwards the event has forgotten its form.
  function withKey(event: FormEvent<HTMLFormElement>) {
    const key = fieldOf(event, 'key').trim()
    return () =>
      session.signInWithKey(key).catch((error) => {
        // The server speaks of headers, which nobody sees here.
        if (!(error instanceof ReforgeError) || error.status !== 401) throw error
        throw new ReforgeError(texts.badKey, { status: 401, code: error.code, requestId: error.requestId })
      })
  }

  function withPassword(event: FormEvent<HTMLFormElement>) {
    const [email, password] = [fieldOf(event, 'email'), fieldOf(event, 'password')]
    return () => session.signIn(email, password)
  }
}
