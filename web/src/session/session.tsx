/**
 * Who is here, and the client that speaks for them. Signed in by cookie (e-mail and password, OIDC, guest) or, for those
 * who have only a key, by a key that stays in this tab.
 */
import { createReforge, createSession, type Reforge, ReforgeError, type Session as SessionState } from '@reforge/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { SERVER } from '../place.ts'

/** Whoever the browser's cookie says is here. */
export const person = createSession({ url: SERVER })

const KEPT = 'reforge-key'
const NOBODY: SessionState = { user: null, firstStart: false, guests: false, oidc: null }

export interface Session extends SessionState {
  /** Null until the server has said who is here. */
  ready: boolean
  /** How they signed in; a key cannot change a password. */
  by: 'cookie' | 'key' | null
  /** Speaks for whoever is here; without anybody only the open calls work. */
  reforge: Reforge
  signIn(email: string, password: string): Promise<void>
  signInWithKey(key: string): Promise<void>
  signOut(): Promise<void>
  /** Where guests are allowed and nobody is here yet, makes a guest; answers the client to go on with. */
  enter(): Promise<Reforge>
  redeem(body: { ticket: string; password: string; email?: string }): Promise<void>
}

const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession belongs inside a SessionProvider.')
  return session
}

/** The client of whoever is here. */
export const useReforge = (): Reforge => useSession().reforge

interface Held {
  state: SessionState
  by: Session['by']
  reforge: Reforge
}

const stranger = createReforge({ url: SERVER })
const withCookie = (): Reforge => createReforge({ url: SERVER, key: person.token })

async function withKey(key: string): Promise<Held> {
  const reforge = createReforge({ url: SERVER, key })
  const { id, email, plan, role } = await reforge.account.me()
  return { state: { ...NOBODY, user: { id, email, role, plan: plan.name } }, by: 'key', reforge }
}

const held = (state: SessionState): Held =>
  state.user ? { state, by: 'cookie', reforge: withCookie() } : { state, by: null, reforge: stranger }

async function begin(): Promise<Held> {
  const kept = sessionStorage.getItem(KEPT)
  if (kept) {
    const found = await withKey(kept).catch((error) => {
      if (error instanceof ReforgeError && error.status === 401) return null
      throw error
    })
    if (found) return found
    sessionStorage.removeItem(KEPT)
  }
  return held(await person.state())
}

export function SessionProvider({ children, failed }: { children: ReactNode; failed: (error: unknown) => ReactNode }) {
  const [now, setNow] = useState<Held | null>(null)
  const [error, setError] = useState<unknown>(null)
  const queries = useQueryClient()
  const entering = useRef<Promise<Reforge> | null>(null)
  useEffect(() => {
    begin().then(setNow, setError)
  }, [])

  const become = useCallback(
    (next: Held): Reforge => {
      // First everybody has the new client: what is asked again must not be asked as who they were.
      flushSync(() => setNow(next))
      void queries.resetQueries()
      return next.reforge
    },
    [queries],
  )

  const session = useMemo<Session>(() => {
    const { state, by, reforge } = now ?? held(NOBODY)
    return {
      ...state,
      by,
      reforge,
      ready: now !== null,
      async signIn(email, password) {
        become(held(await person.signIn(email, password)))
      },
      async signInWithKey(key) {
        const next = await withKey(key)
        sessionStorage.setItem(KEPT, key)
        become(next)
      },
      async signOut() {
        sessionStorage.removeItem(KEPT)
        await queries.cancelQueries()
        if (by === 'key') return void become(held(await person.state()))
        // First here: when the server forgets them, nobody must be asking as who they were.
        become(held({ ...state, user: null }))
        await person.signOut().catch((error) => {
          become(held(state))
          throw error
        })
      },
      async enter() {
        if (state.user || !state.guests) return reforge
        // Fifty files dropped at once are one guest.
        entering.current ??= person.guest().then((guest) => become(held(guest)))
        return entering.current.finally(() => {
          entering.current = null
        })
      },
      async redeem(body) {
        become(held(await person.redeem(body)))
      },
    }
  }, [now, become, queries])
  if (error) return failed(error)
  return <SessionContext value={session}>{children}</SessionContext>
}
