/**
 * One process that forks a closed-in child for every question (office-zygote is one), and its folder. Speaks to the
 * parent, which no file of a user reaches; what children leave is not to be trusted, and nothing is read of it here.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ResidentKind } from '../../catalog/engine.ts'
import type { Resident, Sandbox } from '../../ports/sandbox.ts'

/** Where the folders of questions are in the box. */
export const YARD_INSIDE = '/yard'

export type Outcome = string

/** The process itself died under the question. */
export const LOST: Outcome = 'lost'

export interface Forked {
  /** The folder it shares with us; each question has one of its own in it, by its id. */
  readonly yard: string
  readonly ready: Promise<boolean>
  readonly gone: Promise<unknown>
  alive(): boolean
  served(): number
  /** Questions that have been given to it and are not done with. */
  using: number
  memory(): Promise<number | null>
  /** Settles exactly once, whatever happens to the process: with the word of the parent, or `lost`. */
  ask(id: string, limits: readonly number[], within: number): Promise<Outcome>
  cancel(id: string): void
  kill(): void
}

const START_WITHIN = 60_000
/** It keeps the time of its children itself; this long after, it must be hanging. */
const GRACE = 10_000

export async function startForked(sandbox: Sandbox, kind: ResidentKind, yard: string): Promise<Forked> {
  await mkdir(yard, { recursive: true, mode: 0o700 })
  const writable = { ...kind.spec.writable, [YARD_INSIDE]: yard }
  const resident = await sandbox.start({ ...kind.spec, writable })
  const waiting = new Map<string, (outcome: Outcome) => void>()
  let served = 0
  let alive = true

  const ready = new Promise<boolean>((resolve) => {
    const late = setTimeout(() => resident.kill(), START_WITHIN)
    createInterface(resident.stdout).on('line', (line) => {
      const { event, id, status } = readLine(line)
      if (event === 'ready') {
        clearTimeout(late)
        resolve(true)
      }
      if (event === 'done') waiting.get(id)?.(status)
    })
    void resident.gone.then(() => {
      clearTimeout(late)
      alive = false
      resolve(false)
      for (const settle of waiting.values()) settle(LOST)
    })
  })

  return {
    yard,
    ready,
    gone: resident.gone,
    alive: () => alive,
    served: () => served,
    using: 0,
    memory: () => resident.memory(),
    async ask(id, limits, within) {
      if (!alive) return LOST
      served += 1
      const guard = setTimeout(() => resident.kill(), within + GRACE)
      try {
        return await new Promise<Outcome>((resolve) => {
          waiting.set(id, resolve)
          say(resident, ['convert', id, ...limits])
        })
      } finally {
        clearTimeout(guard)
        waiting.delete(id)
      }
    },
    cancel: (id) => say(resident, ['cancel', id]),
    kill: () => resident.kill(),
  }
}

const say = ({ stdin }: Resident, fields: readonly (string | number)[]): void => {
  stdin.write(`${fields.join('\t')}\n`)
}

/** Written by the parent; whatever else comes is nothing we know. */
function readLine(line: string): { event: string; id: string; status: string } {
  try {
    const { event, id, status } = JSON.parse(line)
    return { event: String(event), id: String(id), status: String(status) }
  } catch {
    return { event: '', id: '', status: '' }
  }
}

export const folderOf = ({ yard }: Forked, id: string): string => join(yard, id)
