/** Users and their keys. */
export const SCOPES = ['tasks:read', 'tasks:write', 'webhooks', 'account'] as const
export type Scope = (typeof SCOPES)[number]

export interface User {
  id: string
  email: string
  createdAt: number
}

export interface Key {
  id: string
  user: string
  name: string
  scopes: readonly Scope[]
  createdAt: number
}

export interface Accounts {
  /** Finds or makes the user with this address. */
  user(email: string, now: number): Promise<User>
  userById(id: string): Promise<User | null>
  hasUsers(): Promise<boolean>
  /** Only the hash of a key is kept. */
  addKey(key: Key, hash: string): Promise<void>
  keyByHash(hash: string): Promise<Key | null>
  /** Seconds of processing since the start of the month, in UTC. */
  secondsUsed(user: string, since: number): Promise<number>
}
