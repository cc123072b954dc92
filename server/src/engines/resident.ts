/**
 * Warm boxed programs, asked one question at a time. The box of a resident has no task directory at all: inputs lie on a
 * shelf of its own that it can only read, or travel over its standard streams as results do, so nothing of another task
 * can be seen, and a crash costs only the question in flight. A kind that forks is asked otherwise, and several at once: see resident/forking.ts.
 */

import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import type { ResidentKind } from '../catalog/engine.ts'
import { Failure } from '../core/errors.ts'
import type { JsonObject } from '../core/task.ts'
import type { BoxResult, Ended, Sandbox } from '../ports/sandbox.ts'
import { createForking, type Forking, type Yards } from './resident/forking.ts'
import { createPool, type Live, type Pool, type PoolLimits } from './resident/pool.ts'
import { BrokenWire, type Opened, openInput, receive, sendBytes, sendPaths } from './resident/wire.ts'

export interface Residents {
  /**
   * Streams the inputs to a warm program of this kind and its result to `output`, which must not exist and is made only
   * when the answer has bytes. Throws a Failure, or the signal's reason; what the program says is not to be trusted.
   */
  ask(
    kind: ResidentKind,
    user: string,
    question: JsonObject,
    input: string | readonly string[] | null,
    output: string | null,
    signal: AbortSignal,
    progress?: (percent: number) => void,
  ): Promise<JsonObject>
  /** Starts a spare one ahead of the first question. */
  warm(kind: ResidentKind): Promise<void>
  /** Kills them all. */
  close(): Promise<void>
}

export interface ResidentOptions extends Partial<PoolLimits> {
  /** Without it no kind that forks can be asked, and all inputs are sent. */
  yards?: Yards
}

const FILE_LIMIT = 4 * 2 ** 30

const ENDED: Partial<Record<Ended, string>> = {
  memory: 'The file needs more memory than one task may use.',
  disk: 'The file needs more disk space than one task may use.',
}

function crashed(gone: BoxResult | null, error: BrokenWire): Failure {
  const detail = `${error.message}; ${gone?.signal ?? gone?.code} ${gone?.ended ?? ''} ${gone?.stderr ?? ''}`
  if (gone?.ended === 'cpu') return tooLong(detail)
  const words = (gone?.ended && ENDED[gone.ended]) ?? 'The converter stopped unexpectedly while working on this file.'
  return new Failure('processing_failed', words, detail)
}

const tooLong = (detail: string): Failure =>
  new Failure('engine_timeout', 'The conversion took longer than allowed.', detail)

async function openAll(paths: readonly string[]): Promise<Opened[]> {
  const opened = await Promise.allSettled(paths.map(openInput))
  const files = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = opened.find((one) => one.status === 'rejected')
  if (!failed) return files
  await closeAll(files)
  throw failed.reason
}

const closeAll = (files: readonly Opened[]): Promise<unknown> => Promise.all(files.map(({ file }) => file.close()))

export function createResidents(sandbox: Sandbox, options: ResidentOptions = {}): Residents {
  const busy = options.busy ?? availableParallelism()
  const limits: PoolLimits = { alive: 2 * busy + 1, idle: 60_000, idleMemory: 512 * 2 ** 20, ...options, busy }
  const pools = new Map<string, Pool>()
  const forks = new Map<string, Forking>()
  // A folder of the host's own is only closed to writing where the box has a file system of its own.
  const shelves = sandbox.kind === 'bubblewrap' ? (options.yards ?? null) : null

  function forkingOf(kind: ResidentKind): Forking {
    if (!options.yards) throw new Error(`${kind.id} forks, and there is no folder to share with it`)
    const forking = forks.get(kind.id) ?? createForking(sandbox, kind, options.yards, limits)
    forks.set(kind.id, forking)
    return forking
  }

  function poolOf(kind: ResidentKind): Pool {
    const pool = pools.get(kind.id) ?? createPool(sandbox, kind, limits, shelves)
    pools.set(kind.id, pool)
    return pool
  }

  /** One question on one process, which is killed when time is up or the caller has gone. */
  async function talk<T>({ resident }: Live, within: number, signal: AbortSignal, say: () => Promise<T>): Promise<T> {
    let late = false
    const end = (): void => resident.kill()
    const clock = setTimeout(() => {
      late = true
      end()
    }, within)
    signal.addEventListener('abort', end, { once: true })
    try {
      signal.throwIfAborted()
      return await say()
    } catch (error) {
      signal.throwIfAborted()
      if (late) throw tooLong(`no answer within ${within} ms`)
      if (!(error instanceof BrokenWire)) throw error
      end()
      throw crashed(await resident.gone, error)
    } finally {
      clearTimeout(clock)
      signal.removeEventListener('abort', end)
    }
  }

  /** Lays the inputs out where the program can read them, else sends them. Resolves when it has been asked. */
  async function put({ resident, shelf }: Live, question: JsonObject, paths: readonly string[]): Promise<void> {
    const laid = shelf?.lay(paths)
    if (laid) return await sendPaths(resident.stdin, question, laid)
    const inputs = await openAll(paths)
    try {
      await sendBytes(resident.stdin, question, inputs)
    } finally {
      await closeAll(inputs)
    }
  }

  const ask: Residents['ask'] = async (kind, user, question, input, output, signal, progress = () => {}) => {
    const paths = typeof input === 'string' ? [input] : (input ?? [])
    if (kind.forks) return await forkingOf(kind).ask(question, paths[0] ?? null, output, signal)
    const loan = await poolOf(kind)
      .take(user, signal)
      .catch((error) => {
        throw error instanceof BrokenWire
          ? new Failure('processing_failed', 'The converter could not be started.', error.message)
          : error
      })
    let clean = false
    try {
      const limit = kind.spec.limits?.file ?? FILE_LIMIT
      const answer = await talk(loan, kind.timeout, signal, async () => {
        await put(loan, question, paths)
        return await receive(loan.frames, { output, limit, progress })
      })
      clean = loan.frames.empty()
      return answer
    } catch (error) {
      if (output !== null) await rm(output, { force: true })
      throw error
    } finally {
      loan.shelf?.clear()
      loan.give(clean)
    }
  }

  return {
    ask,
    warm: (kind) => (kind.forks ? forkingOf(kind) : poolOf(kind)).warm(),
    async close() {
      await Promise.all([...pools.values(), ...forks.values()].map((each) => each.close()))
    },
  }
}
