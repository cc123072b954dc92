/** Shows the page of the address inside the frame; strangers are asked to sign in first. */
import { Button, Center, Loader } from '@mantine/core'
import { Suspense, useEffect } from 'react'
import { Link, Route, Switch } from 'wouter'
import { Catch } from '../components/catch.tsx'
import { PageFrame } from '../components/page-frame.tsx'
import { useSession } from '../session/session.tsx'
import { SignInPage } from '../session/sign-in.tsx'
import { useTexts } from '../texts/texts.tsx'
import { mayVisit, PLACES } from './places.ts'
import { Shell } from './shell.tsx'

export function Pages() {
  const session = useSession()
  if (!session.ready) return <Waiting />
  const places = PLACES.filter((place) => mayVisit(place, session))
  // In place, so that signing in leads to where they meant to go.
  if (places.length === 0) return <SignInPage />
  return (
    <Shell>
      <Suspense fallback={<Waiting />}>
        <Switch>
          {places.map(({ id, pattern, Page }) => (
            <Route key={id} path={pattern}>
              <Titled id={id} />
              <Catch>
                <Page />
              </Catch>
            </Route>
          ))}
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </Shell>
  )
}

function Titled({ id }: Pick<(typeof PLACES)[number], 'id'>) {
  const { shell } = useTexts()
  useEffect(() => {
    document.title = shell.titleOf(shell.pages[id])
  }, [shell, id])
  return null
}

const Waiting = () => (
  <Center mih={240}>
    <Loader />
  </Center>
)

function NotFound() {
  const { notFound } = useTexts().shell
  return (
    <PageFrame title={notFound.title} lead={notFound.lead}>
      <Button component={Link} href="/" variant="default">
        {notFound.back}
      </Button>
    </PageFrame>
  )
}
