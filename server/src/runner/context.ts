/**
 * What a running operation is given. Makes the task's private folder, lends inputs, runs hops in the sandbox and checks
 * what they made; everything is given back when the task ends, however it ends.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Catalog } from '../catalog/catalog.ts'
import type { InputFile, MediaLimits, ResidentKind, Work } from '../catalog/engine.ts'
import { type Ext, formatOf } from '../catalog/formats.ts'
import { sniff } from '../catalog/sniff.ts'
import { Failure } from '../core/errors.ts'
import type { JsonObject, Task, TaskFile } from '../core/task.ts'
import type { Intake } from '../operations/intake.ts'
import type { HopRunner, KeptPage, PageOrder, RunContext } from '../operations/operation.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'
import type { BoxResult, Sandbox } from '../ports/sandbox.ts'

export interface ContextDeps {
  blobs: Blobs
  clock: Clock
  catalog: Catalog
  guard: RunContext['guard']
  intake: Intake
  sandbox: Sandbox
  /** Asks a warm worker; see engines/resident.ts. */
  ask(
    kind: ResidentKind,
    user: string,
    question: JsonObject,
    input: string | readonly string[] | null,
    output: string | null,
    watch: { signal: AbortSignal; progress(percent: number): void },
  ): Promise<JsonObject>
  /** Visits a web page; null where there is no browser that could be boxed. */
  snapshot:
    | ((
        order: PageOrder & { dir: string; signal: AbortSignal; progress(percent: number): void },
      ) => Promise<Omit<KeptPage, 'file'> & { name: string }>)
    | null
  /** Opens what an engine left, without following links. */
  openOutput(dir: string, name: string): Promise<{ path: string; size: number; head: Buffer }>
  /** Removes a folder whatever an engine left in it. */
  removeTree(path: string): Promise<void>
  /** Folder for the private folders of tasks. */
  scratch: string
  /** What engines take. */
  limits: MediaLimits
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
    const lent: { release(): Promise<void> }[] = []
    const places: string[] = []

    async function makePlace(): Promise<string> {
      const place = join(deps.scratch, `${task.id}-${places.length}`)
      mkdirSync(place, { mode: 0o700 })
      places.push(place)
      return place
    }

    const engine: HopRunner = async ({ run, ...hop }) => {
      const place = await makePlace()
      const work: Work = {
        ...hop,
        input: hop.inputs[0]!,
        dir: place,
        limits: deps.limits,
        user: task.user,
        signal,
        run: async (spec, onOutput) => {
          const result = await deps.sandbox.run({ ...spec, work: place }, { signal, ...(onOutput && { onOutput }) })
          return checked(result, signal)
        },
        ask: (kind, question, input, output) =>
          deps.ask(kind, task.user, question, input, output, { signal, progress: hop.progress }),
      }
      const names = await run(work)
      signal.throwIfAborted()
      if (names.length === 0) throw new Failure('processing_failed', 'The conversion produced no file.')
      return Promise.all(names.map((name) => verify(place, name, hop.to)))
    }

    const snapshot: RunContext['snapshot'] = async (order) => {
      if (!deps.snapshot)
        throw new Failure('processing_failed', 'Web pages cannot be visited here: this server has no browser.')
      const dir = await makePlace()
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
        const loan = await deps.blobs.local(file.blob)
        lent.push(loan)
        return loan.path
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
        await Promise.all(lent.map((loan) => loan.release()))
        await Promise.all(places.map(deps.removeTree))
      },
    }
  }
}

const LIMITS: Record<NonNullable<BoxResult['ended']>, string> = {
  wall: 'The conversion took longer than allowed.',
  cpu: 'The conversion took longer than allowed.',
  memory: 'The conversion needs more memory than allowed. A smaller file or a smaller result may work.',
  disk: 'The conversion wrote more than allowed.',
  output: 'The conversion wrote more than allowed.',
  canceled: 'The conversion was stopped.',
}

function checked(result: BoxResult, signal: AbortSignal): BoxResult {
  signal.throwIfAborted()
  if (result.ended === null) return result
  const code = result.ended === 'wall' || result.ended === 'cpu' ? 'engine_timeout' : 'processing_failed'
  throw new Failure(code, LIMITS[result.ended], result.stderr)
}
