/** Where links lead: the first start, an invitation, a new password. After the first start a few steps show the way. */
import { Button, Center, Loader } from '@mantine/core'
import { ReforgeError, type Ticket } from '@reforge/sdk'
import { useEffect, useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { ErrorBox } from '../../components/error-box.tsx'
import { Door } from '../../session/door.tsx'
import { person } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { SetPassword } from './set-password.tsx'
import { Steps } from './steps.tsx'

/** Looked at once, and in no cache: whoever uses it becomes somebody else, for whom all is asked again. */
function useTicket(ticket: string): { data?: Ticket; error?: unknown } {
  const [found, setFound] = useState<{ data?: Ticket; error?: unknown }>({})
  useEffect(() => {
    let gone = false
    const keep = (next: typeof found) => !gone && setFound(next)
    person.look(ticket).then(
      (data) => keep({ data }),
      (error) => keep({ error }),
    )
    return () => {
      gone = true
    }
  }, [ticket])
  return found
}

export function WelcomePage() {
  const { welcome: texts } = useTexts()
  const { ticket = '' } = useParams()
  const [, navigate] = useLocation()
  const [guiding, setGuiding] = useState(false)
  const { data, error } = useTicket(ticket)
  if (guiding) return <Steps onEnd={() => navigate('/', { replace: true })} />
  if (error)
    return error instanceof ReforgeError && error.status === 404 ? (
      <Door title={texts.bad} lead={texts.badLead}>
        <Button component={Link} href="/sign-in">
          {texts.toSignIn}
        </Button>
      </Door>
    ) : (
      <ErrorBox error={error} alone />
    )
  if (!data)
    return (
      <Center h="100vh">
        <Loader />
      </Center>
    )
  const done = () => (data.kind === 'reset' ? navigate('/', { replace: true }) : setGuiding(true))
  return <SetPassword ticket={ticket} about={data} onDone={done} />
}
