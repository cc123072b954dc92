/** Users and their keys. */
import type { Budget } from '../core/quota.ts'
import type { Also } from './sql.ts'

export const SCOPES = ['tasks:read', 'tasks:write', 'webhooks', 'account'] as const
export type Scope = (typeof SCOPES)[number]

/** A guest has come in without an e-mail address and goes with everything that is theirs. */
export const ROLES = ['admin', 'user', 'guest'] as const
export type Role = (typeof ROLES)[number]

export interface User {
  id: string
  email: string
  createdAt: number
  role: Role
  /** Name of the plan. */
  plan: string
  /** From then on nothing of theirs is let in; null while all is well. */
  suspendedAt: number | null
}

export interface Key {
  id: string
  user: string
  name: string
  scopes: readonly Scope[]
  createdAt: number
  /** To the minute; null when it was never used. */
  lastUsedAt: number | null
  /** What it may use of its user's minutes; null for all of them. */
  budget: Budget | null
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
  addKey(key: Key, hash: string, also?: Also): Promise<void>
  /** Newest first. */
  keys(user: string): Promise<Key[]>
  /** null when the user has no such key. Throws NameTaken. */
  changeKey(user: string, id: string, to: Partial<Pick<Key, 'name' | 'budget'>>, also?: Also): Promise<Key | null>
  /** False when the user has no such key. From then on it is not found. */
  removeKey(user: string, id: string, also?: Also): Promise<boolean>
  /** Notes that a key was used. */
  touchKey(id: string, now: number): Promise<void>
  keyByHash(hash: string): Promise<Key | null>
}
