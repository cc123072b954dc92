/**
 * Has long work done in parts: hands them out, looks how far they are, brings their files. Whoever waits here keeps its
 * place in the lane for long work and computes nothing; the parts run in a lane of their own, so it always ends.
 */
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine, Spread, Work } from '../catalog/engine.ts'
import { Failure } from '../core/errors.ts'
import type { TaskFile } from '../core/task.ts'
import type { Cluster } from '../operations/cluster.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { PartState, Parts } from '../ports/parts.ts'
import type { Log } from './log.ts'

export interface ForemanDeps {
  parts: Parts
  blobs: Pick<Blobs, 'read' | 'remove'>
  cluster: Pick<Cluster, 'workersFor' | 'needsFor' | 'look'>
  /** Of film, in a part. */
  seconds: number
  log: Log
}

export interface Foreman {
  /** Undefined where only this machine could do the parts. */
  spread(task: { id: string; user: string }, engine: Engine, input: TaskFile, work: Work): Promise<Spread | undefined>
  /** Parts of a task that has ended are for nobody. Of one that was given back, whoever takes it goes on with them. */
  end(task: string): Promise<void>
}

/** Milliseconds between two looks. */
const LOOK_EVERY = 500

export function createForeman({ parts, blobs, cluster, seconds, log }: ForemanDeps): Foreman {
  async function bring(part: PartState, work: Work, name: string): Promise<void> {
    if (!part.end || 'msg' in part.end) return
    const path = join(work.dir, name)
    // Whatever an engine left there is not written through.
    await rm(path, { recursive: true, force: true })
    const target = createWriteStream(path, { flags: 'wx', mode: 0o600 })
    await pipeline(blobs.read(part.end.blob), target, { signal: work.signal })
  }

  /** Brings files as they come, until all are here. */
  async function gather(task: string, names: readonly string[], work: Work, progress: (percent: number) => void) {
    const brought = new Set<string>()
    for (;;) {
      const found = await parts.of(task)
      work.signal.throwIfAborted()
      if (found.length !== names.length) throw new Error('the parts of the task were taken away')
      for (const [index, part] of found.entries()) {
        if (part.end && 'msg' in part.end)
          throw new Failure('processing_failed', `Part ${index + 1} of ${found.length} failed: ${part.end.msg}`)
        if (!part.end || brought.has(part.id)) continue
        await bring(part, work, names[index]!)
        brought.add(part.id)
      }
      progress(found.reduce((sum, { percent, end }) => sum + (end ? 100 : percent), 0) / found.length)
      if (brought.size === found.length) return
      await sleep(LOOK_EVERY, undefined, { signal: work.signal })
    }
  }

  return {
    async spread(task, engine, input, work) {
      if (!engine.part) return undefined
      const isAlone = () => cluster.workersFor('parts', [engine.id]) < 2
      // Who has just come is seen by looking only.
      if (isAlone()) await cluster.look()
      if (isAlone()) return undefined
      return {
        seconds,
        async hand(orders, progress) {
          // Looked at already, or claimed: the file itself may not tell.
          const given = { ...input, format: work.input.format }
          const list = orders.map((order) => ({ engine: engine.id, input: given, order }))
          await blobs.remove(await parts.order(task, list, cluster.needsFor('parts', [engine.id])))
          log.info({ task: task.id, parts: list.length }, 'parts were handed out')
          const names = orders.map((_, index) => `part-${String(index).padStart(4, '0')}`)
          await gather(task.id, names, work, progress)
          return names
        },
      }
    },
    end: async (task) => blobs.remove(await parts.clear(task)),
  }
}
