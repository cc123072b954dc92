/** Puts the page together: looks, texts, data, session, live events, and which page is shown. */
import { Center, Loader } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Route, Router, Switch } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { Catch } from './components/catch.tsx'
import { ErrorBox } from './components/error-box.tsx'
import { createQueries } from './data/client.ts'
import { LiveProvider } from './data/live.tsx'
import { Look } from './look.tsx'
import { SessionProvider } from './session/session.tsx'
import { SignInPage } from './session/sign-in.tsx'
import { Pages } from './shell/pages.tsx'
import { TextsProvider } from './texts/texts.tsx'
import { WelcomePage } from './welcome.ts'

export function App() {
  const [queries] = useState(createQueries)
  return (
    <TextsProvider>
      <Look>
        <Notifications position="bottom-right" />
        <QueryClientProvider client={queries}>
          <ModalsProvider>
            <Catch>
              <SessionProvider failed={(error) => <ErrorBox error={error} alone />}>
                <LiveProvider>
                  <Router hook={useHashLocation}>
                    <Suspense fallback={<Waiting />}>
                      <Switch>
                        <Route path="/sign-in" component={SignInPage} />
                        <Route path="/welcome/:ticket" component={WelcomePage} />
                        <Route component={Pages} />
                      </Switch>
                    </Suspense>
                  </Router>
                </LiveProvider>
              </SessionProvider>
            </Catch>
          </ModalsProvider>
        </QueryClientProvider>
      </Look>
    </TextsProvider>
  )
}

const Waiting = () => (
  <Center h="100vh">
    <Loader />
  </Center>
)
