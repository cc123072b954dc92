/** Users as administrators see and change them. */
import type { Role, User } from './accounts.ts'
import type { Also } from './sql.ts'
import type { Found } from './store.ts'

export class EmailTaken extends Error {
  constructor(email: string) {
    super(`There is a user with the address ${email} already.`)
    this.name = 'EmailTaken'
  }
}

/** Somebody must be able to let others in. */
export class LastAdministrator extends Error {
  constructor() {
    super('This is the last administrator. Make somebody else one first.')
    this.name = 'LastAdministrator'
  }
}

/** A user with what an administrator wants to know of them. */
export interface ListedUser extends User {
  /** Whether they can sign in with a password; one who was invited cannot, yet. */
  hasPassword: boolean
  /** When a session of theirs was last used, to the minute. */
  seenAt: number | null
}

export interface UserChange {
  role?: Role
  plan?: string
  /** null lets them in again. Suspending ends their sessions. */
  suspendedAt?: number | null
}

export interface Users {
  /** Throws EmailTaken. */
  add(user: User, also?: Also): Promise<void>
  byEmail(email: string): Promise<User | null>
  find(id: string): Promise<ListedUser | null>
  /** Newest first; `search` is a part of the address. */
  list(search: string | null, page: number, limit: number): Promise<Found<ListedUser>>
  /** null when there is no such user. Throws LastAdministrator. */
  change(id: string, to: UserChange, also?: Also): Promise<User | null>
  /** With everything but their records: keys, sessions, webhooks, sums. Throws LastAdministrator. */
  remove(id: string, also?: Also): Promise<boolean>
  /** The oldest administrator who is not suspended. */
  firstAdministrator(): Promise<User | null>
  /** Guests who came before this and are not signed in any more. */
  leftGuests(before: number, most: number): Promise<string[]>
}
