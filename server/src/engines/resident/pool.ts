/**
 * The warm processes of one kind: who gets which, how many there are, when one goes. A process that has served one user
 * never serves another: whatever took it over could have kept the first one's bytes. It does not speak to them beyond
 * waiting for their first word (see resident.ts).
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { ResidentKind } from '../../catalog/engine.ts'
import type { Resident, Sandbox } from '../../ports/sandbox.ts'
import type { Yards } from './forking.ts'
import { createShelf, SHELF_INSIDE, type Shelf } from './shelf.ts'
import { createTurns } from './turns.ts'
import { BrokenWire, createFrames, type Frames } from './wire.ts'

export interface PoolLimits {
  /** Questions served at once; more wait their turn. */
  busy: number
  /** Processes alive at once, idle ones included. */
  alive: number
  /** Milliseconds an idle process is kept for its user. */
  idle: number
  /** An idle process that holds more bytes than this is replaced. */
  idleMemory: number
}

/** A process, the stream of its answers, and where it finds its inputs, if it can. */
export interface Live {
  resident: Resident
  frames: Frames
  shelf: Shelf | null
}

/** A process on loan. `give` it back exactly once. */
export interface Loan extends Live {
  /** `clean`: it answered properly and may be asked again. */
  give(clean: boolean): void
}

export interface Pool {
  take(user: string, signal: AbortSignal): Promise<Loan>
  /** Starts a spare one unless there is one. */
  warm(): Promise<void>
  close(): Promise<void>
}

interface Worker {
  state: 'spare' | 'busy' | 'idle'
  user: string | null
  served: number
  live: Promise<Live>
  resident: Resident | null
  killed: boolean
  timer: NodeJS.Timeout | undefined
}

const START_WITHIN = 30_000
/** A first question must not share the processor with the start of the next spare one. */
const REFILL_AFTER = 100
const INSPECT_AFTER = 1000

export function createPool(sandbox: Sandbox, kind: ResidentKind, limits: PoolLimits, shelves: Yards | null): Pool {
  const workers = new Set<Worker>()
  const going = new Set<Promise<unknown>>()
  const turns = createTurns(limits.busy)
  let closed = false
  let refill: NodeJS.Timeout | undefined

  function kill(worker: Worker): void {
    workers.delete(worker)
    clearTimeout(worker.timer)
    worker.killed = true
    worker.resident?.kill()
  }

  async function boot(worker: Worker): Promise<Live> {
    const shelf = shelves && createShelf(join(shelves.folder, `${kind.id}-${randomBytes(8).toString('hex')}`))
    const readOnly = { ...kind.spec.readOnly, ...(shelf && { [SHELF_INSIDE]: shelf.folder }) }
    const resident = await sandbox.start({ ...kind.spec, readOnly })
    worker.resident = resident
    const gone = resident.gone.finally(async () => {
      workers.delete(worker)
      await (shelf && shelves?.remove(shelf.folder))
      going.delete(gone)
    })
    going.add(gone)
    // A process that dies is noticed where it is read; an error on its input says nothing more.
    resident.stdin.on('error', () => {})
    if (worker.killed) resident.kill()
    const late = setTimeout(() => kill(worker), START_WITHIN)
    try {
      const frames = createFrames(resident.stdout)
      if ((await frames.header()).ready !== true) throw new BrokenWire('a first word that is not "ready"')
      return { resident, frames, shelf }
    } catch (error) {
      kill(worker)
      const { stderr } = await resident.gone
      throw new BrokenWire(`${kind.id} did not start: ${error instanceof Error ? error.message : error} ${stderr}`)
    } finally {
      clearTimeout(late)
    }
  }

  function start(): Worker {
    const blank = { state: 'spare', user: null, served: 0, resident: null, killed: false } as const
    const worker: Worker = { ...blank, timer: undefined, live: Promise.reject(new Error('not started')) }
    worker.live.catch(() => {})
    worker.live = boot(worker)
    worker.live.catch(() => workers.delete(worker))
    workers.add(worker)
    return worker
  }

  /** The one that worked last: what it needs is still in the processor's caches, and the others may go. */
  const find = (state: Worker['state'], user: string | null): Worker | undefined =>
    [...workers].findLast((worker) => worker.state === state && worker.user === user)

  /** Room for one more: the one that has been idle longest goes (a set keeps the order of `rest`). */
  function makeRoom(): void {
    if (workers.size < limits.alive) return
    const oldest = workers.values().find((worker) => worker.state === 'idle')
    if (oldest) kill(oldest)
  }

  function warm(): Worker | undefined {
    const spare = find('spare', null)
    if (closed || spare) return spare
    makeRoom()
    return start()
  }

  function pick(user: string): Worker {
    const own = find('idle', user)
    if (own) return own
    const spare = find('spare', null)
    if (!spare) makeRoom()
    clearTimeout(refill)
    refill = setTimeout(warm, REFILL_AFTER).unref()
    return spare ?? start()
  }

  function rest(worker: Worker): void {
    worker.state = 'idle'
    workers.delete(worker)
    workers.add(worker)
    worker.timer = setTimeout(() => inspect(worker), INSPECT_AFTER).unref()
  }

  /** Measuring memory is not free, so only one that has nothing to do is looked at. */
  async function inspect(worker: Worker): Promise<void> {
    const bytes = (await worker.resident?.memory().catch(() => null)) ?? 0
    if (worker.state !== 'idle' || worker.killed) return
    if (bytes > limits.idleMemory) kill(worker)
    else worker.timer = setTimeout(() => kill(worker), limits.idle - INSPECT_AFTER).unref()
  }

  function give(worker: Worker, clean: boolean): void {
    worker.served += 1
    const again = clean && !worker.killed && !closed && worker.served < kind.recycleAfter
    if (again && workers.has(worker)) rest(worker)
    else kill(worker)
    turns.leave()
  }

  async function lend(user: string): Promise<Loan> {
    if (closed) throw new BrokenWire('the pool is closed')
    const worker = pick(user)
    clearTimeout(worker.timer)
    worker.state = 'busy'
    worker.user = user
    return { ...(await worker.live), give: (clean) => give(worker, clean) }
  }

  async function take(user: string, signal: AbortSignal): Promise<Loan> {
    await turns.enter(signal)
    try {
      // One that did not start says something of that moment, not of the file: another is tried before it counts.
      return await lend(user).catch(() => lend(user))
    } catch (error) {
      turns.leave()
      throw error
    }
  }

  async function close(): Promise<void> {
    closed = true
    clearTimeout(refill)
    for (const worker of workers) kill(worker)
    await Promise.allSettled([...going])
  }

  return { take, close, warm: async () => void (await warm()?.live) }
}
