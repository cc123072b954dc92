/**
 * What a running operation is given. Lends inputs, runs hops at a workbench and checks what they made; everything is given
 * back when the task ends, however it ends.
 */
import type { Catalog } from '../catalog/catalog.ts'
import type { InputFile } from '../catalog/engine.ts'
import { type Ext, formatOf } from '../catalog/formats.ts'
import { sniff } from '../catalog/sniff.ts'
import { Failure } from '../core/errors.ts'
import type { JsonObject, Task, TaskFile } from '../core/task.ts'
import type { Intake } from '../operations/intake.ts'
import type { HopRunner, KeptPage, PageOrder, RunContext } from '../operations/operation.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'
import type { Foreman } from './foreman.ts'
import type { Workbenches } from './workbench.ts'

export interface ContextDeps {
  blobs: Blobs
  clock: Clock
  catalog: Catalog
  guard: RunContext['guard']
  intake: Intake
  workbenches: Workbenches
  /** Spreads long work over several machines; null where each does its own. */
  foreman: Foreman | null
  /** Visits a web page; null where there is no browser that could be boxed. */
  snapshot:
    | ((
        order: PageOrder & { dir: string; signal: AbortSignal; progress(percent: number): void },
      ) => Promise<Omit<KeptPage, 'file'> & { name: string }>)
    | null
  /** Opens what an engine left, without following links. */
  openOutput(dir: string, name: string): Promise<{ path: string; size: number; head: Buffer }>
  storages: RunContext['storages']
}

export interface Running {
  context: RunContext
  /** Gives everything back. */
  end(): Promise<void>
}

interface Start {
  task: Task
  params: JsonObject
  inputs: readonly TaskFile[]
  signal: AbortSignal
  /** Bytes; of what comes in and of what is made. */
  maxFileSize: number
  progress(percent: number): void
}

export function createContexts(deps: ContextDeps) {
  return function begin({ task, params, inputs, signal, maxFileSize, progress }: Start): Running {
    const bench = deps.workbenches({ user: task.user, signal })
    /** By the path they were lent at. */
    const lent = new Map<string, TaskFile>()
    let spreads = false

    const engine: HopRunner = async ({ run, engine, ...hop }) => {
      const work = bench.work(hop)
      // What an earlier hop made is only here.
      const input = lent.get(work.input.path)
      const spread = input && (await deps.foreman?.spread(task, engine, input, work))
      spreads ||= spread !== undefined
      const names = await run(spread ? { ...work, spread } : work)
      signal.throwIfAborted()
      if (names.length === 0) throw new Failure('processing_failed', 'The conversion produced no file.')
      return Promise.all(names.map((name) => verify(work.dir, name, hop.to)))
    }

    const snapshot: RunContext['snapshot'] = async (order) => {
      if (!deps.snapshot)
        throw new Failure('processing_failed', 'Web pages cannot be visited here: this server has no browser.')
      const dir = bench.place()
      const { name, ...page } = await deps.snapshot({ ...order, dir, signal, progress })
      return { ...page, file: await verify(dir, name, 'mhtml') }
    }

    /** "A result is sniffed before the task is completed. A broken file is a failed task." */
    async function verify(place: string, name: string, to: Ext): Promise<InputFile> {
      const { path, size, head } = await deps.openOutput(place, name)
      if (size === 0) throw new Failure('processing_failed', 'The conversion produced an empty file.')
      const found = sniff(head, `x.${to}`).format
      if (found !== to) {
        const what = found ? `${formatOf(found).title}` : 'something unknown'
        throw new Failure('processing_failed', `The conversion to ${to} produced ${what} instead.`)
      }
      return { path, format: to, filename: name, size }
    }

    const context: RunContext = {
      task: { id: task.id, user: task.user, name: task.name },
      params,
      inputs,
      catalog: deps.catalog,
      guard: deps.guard,
      maxFileSize,
      storages: deps.storages,
      signal,
      progress,
      async local(file) {
        const path = await bench.lend(file.blob)
        lent.set(path, file)
        return path
      },
      read: (file) => deps.blobs.read(file.blob),
      identify: (file, name) => deps.intake.identify(file, name),
      receive: (source, filename) => deps.intake.receive(source, filename, { signal, most: maxFileSize }),
      async keep(made, filename) {
        if (made.size > maxFileSize)
          throw new Failure('processing_failed', `The result is larger than the limit of ${maxFileSize} bytes.`)
        return deps.intake.adopt(made.path, filename, made.format)
      },
      engine,
      snapshot,
    }
    return {
      context,
      async end() {
        await Promise.all([bench.end(), spreads && deps.foreman?.end(task.id)])
      },
    }
  }
}
