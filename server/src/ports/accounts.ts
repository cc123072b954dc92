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
  /** To the minute; null when it was never used. */
  lastUsedAt: number | null
}

/** A user has no two keys of one name: which of them is to be revoked must be clear. */
export class NameTaken extends Error {
  constructor(name: string) {
    super(`There is a key named "${name}" already.`)
    this.name = 'NameTaken'
  }
}

export interface Accounts {
  /** Finds or makes the user with this address. */
  user(email: string, now: number): Promise<User>
  userById(id: string): Promise<User | null>
  hasUsers(): Promise<boolean>
  /** Only the hash of a key is kept. Throws NameTaken. */
  addKey(key: Key, hash: string): Promise<void>
  /** Newest first. */
  keys(user: string): Promise<Key[]>
  /** False when the user has no such key. From then on it is not found. */
  removeKey(user: string, id: string): Promise<boolean>
  /** Notes that a key was used. */
  touchKey(id: string, now: number): Promise<void>
  keyByHash(hash: string): Promise<Key | null>
  /** Seconds of processing since the start of the month, in UTC. */
  secondsUsed(user: string, since: number): Promise<number>
}
