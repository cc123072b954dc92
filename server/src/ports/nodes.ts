/** The processes that make up the service, and what each can do. Each says again and again that it is there. */
import type { Lane } from '../core/task.ts'

export const ROLES = ['all', 'api', 'worker'] as const
/** `api` takes requests, `worker` runs tasks, `all` does both. */
export type Role = (typeof ROLES)[number]

export interface Node {
  id: string
  role: Role
  version: string
  /** For people: the name of the machine. */
  name: string
  /** Engines and operations it has, as words; none for an `api`. A newer release may name some that we do not know. */
  abilities: readonly string[]
  /** How many tasks it runs at a time, by lane; 0 for a lane it does not serve. */
  capacity: Readonly<Record<Lane, number>>
  startedAt: number
  seenAt: number
}

export interface Nodes {
  /** Writes that the node is there, and what it is. */
  beat(node: Node): Promise<void>
  /** Those that were seen after `since`, by id. */
  live(since: number): Promise<Node[]>
  /** It says good-bye. */
  leave(id: string): Promise<void>
  /** Removes those that nobody has seen since `before`. */
  forget(before: number): Promise<void>
}
