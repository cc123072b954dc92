/** Does parts of tasks that others wait for. One transaction ends a part together with its claim, as with tasks. */
import type { Catalog } from '../catalog/catalog.ts'
import { extOf } from '../catalog/formats.ts'
import { Failure } from '../core/errors.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'
import type { Part, PartEnd, Parts } from '../ports/parts.ts'
import { type Claim, ClaimLost, MOST_ATTEMPTS } from '../ports/queue.ts'
import type { Database } from '../ports/sql.ts'
import { createLingering } from './lingering.ts'
import type { Log } from './log.ts'
import type { Workbenches } from './workbench.ts'

export interface PartWorkerDeps {
  parts: Parts
  transact: Database['transact']
  blobs: Pick<Blobs, 'adopt' | 'remove' | 'local'>
  clock: Clock
  catalog: Pick<Catalog, 'engines'>
  workbenches: Workbenches
  /** Opens what an engine left, without following links. */
  openOutput(dir: string, name: string): Promise<{ path: string }>
  /** Milliseconds. */
  timeout: number
  log: Log
}

export interface PartWorker {
  handle(claim: Claim, stopping: AbortSignal): Promise<void>
  /** Its workers died, or were stopped, as often as it may be tried. */
  giveUp(claim: Claim): Promise<void>
}

const PROGRESS_EVERY = 1000

export function createPartWorker(deps: PartWorkerDeps): PartWorker {
  const { parts, blobs, clock, log, transact } = deps
  const linger = createLingering(blobs)

  /** At most once a second. Nobody depends on it, so nobody waits for it. */
  function createProgress(part: Part): (percent: number) => void {
    let at = 0
    return (percent) => {
      if (clock.now() - at < PROGRESS_EVERY) return
      at = clock.now()
      parts.progress(part.id, Math.min(99, Math.floor(percent))).catch((error) => {
        log.warn({ part: part.id, err: error }, 'progress was not written')
      })
    }
  }

  async function carryOut(part: Part, signal: AbortSignal): Promise<PartEnd> {
    const { input, order, user } = part
    const engine = deps.catalog.engines.find((each) => each.id === part.engine)
    const format = extOf(input.format)
    if (!engine?.part || !format) throw new Failure('processing_failed', 'It is not known here how to do it.')
    const bench = deps.workbenches({ user, signal })
    try {
      const { filename, size } = input
      const inputs = [{ path: await bench.lend(input.blob), format, filename, size }]
      const hop = {
        inputs,
        progress: createProgress(part),
        options: {},
        does: 'convert',
        to: format,
        tell() {},
      } as const
      const work = bench.work(hop)
      // Nobody may want it any more since its input was sent for.
      signal.throwIfAborted()
      const { path } = await deps.openOutput(work.dir, await engine.part(work, order))
      signal.throwIfAborted()
      await linger(input.blob)
      return await blobs.adopt(path)
    } finally {
      await bench.end()
    }
  }

  async function report(claim: Claim, end: PartEnd): Promise<void> {
    try {
      if (await parts.end(claim.id, end, (tx) => claim.settle(tx))) return
      await drop(claim)
    } catch (error) {
      if (!(error instanceof ClaimLost)) throw error
    }
    if ('blob' in end) await blobs.remove([end.blob])
  }

  const drop = (claim: Claim): Promise<void> => transact((tx) => claim.settle(tx))

  return {
    async handle(claim, stopping) {
      const part = await parts.find(claim.id)
      if (!part || part.end) return drop(claim)
      const begun = clock.now()
      const signal = AbortSignal.any([claim.signal, stopping, AbortSignal.timeout(deps.timeout)])
      let end: PartEnd
      try {
        end = await carryOut(part, signal)
      } catch (error) {
        if (claim.signal.aborted) return
        if (stopping.aborted) return transact((tx) => claim.release(tx))
        log.warn({ part: part.id, task: part.task, err: error }, 'a part failed')
        // Perhaps only here: the queue hands it out again, and another may have it.
        if (claim.attempt < MOST_ATTEMPTS - 1) throw error
        end = { msg: error instanceof Failure ? error.message : 'there was an error in the service.' }
      }
      await report(claim, end)
      log.info({ part: part.id, task: part.task, seconds: (clock.now() - begun) / 1000 }, 'a part has ended')
    },

    giveUp: (claim) => report(claim, { msg: `it was interrupted ${MOST_ATTEMPTS} times.` }),
  }
}
