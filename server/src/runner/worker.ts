/** Takes ready tasks, runs them, reports. One transaction starts a task, one ends it together with its claim. */
import type { Catalog } from '../catalog/catalog.ts'
import { Failure } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { type Change, type Happening, type Slice, transition } from '../core/machine.ts'
import type { Sealer } from '../core/secret.ts'
import { hasEnded, type Lane, type Task, type TaskFile } from '../core/task.ts'
import type { Operations } from '../operations/index.ts'
import { laneOf } from '../operations/lane.ts'
import type { Share } from '../operations/operation.ts'
import { openPayload } from '../operations/plan.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'
import { type Claim, ClaimLost, type Consumer, MOST_ATTEMPTS, type Queue } from '../ports/queue.ts'
import type { Database } from '../ports/sql.ts'
import type { Store } from '../ports/store.ts'
import type { createContexts, Running } from './context.ts'
import { andInstantly } from './instantly.ts'

export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface WorkerDeps {
  store: Store
  transact: Database['transact']
  queue: Queue
  blobs: Blobs
  clock: Clock
  sealer: Sealer
  operations: Operations
  catalog: Catalog
  contexts: ReturnType<typeof createContexts>
  log: Log
  /** How many tasks at a time, by lane. */
  capacity: Readonly<Record<Lane, number>>
  /** Milliseconds one task may run. */
  taskTimeout: number
  /** Told of every task that ended here, for `/metrics`. */
  ended?(task: Task, seconds: number, ok: boolean): void
}

const PROGRESS_EVERY = 1000

export function startWorker(deps: WorkerDeps) {
  const { store, queue, clock } = deps
  const stopping = new AbortController()

  /** The task as it is now, begun; null when it ended or went before we came. */
  async function start(task: Task): Promise<Task | null> {
    if (deps.operations.get(task.operation)?.instant?.when(task.payload)) return task
    const started = await store.change(task.id, (slice) => transition(slice, { type: 'started' }, clock.now()))
    return started?.change.tasks.find(({ id }) => id === task.id) ?? null
  }

  /** What a task is like shows when its inputs are known: a long one goes where it holds up nobody. */
  async function move(task: Task, lane: Lane): Promise<boolean> {
    if (lane === task.lane || deps.capacity[lane] === 0) return false
    return (await store.change(task.id, (slice) => transition(slice, { type: 'moved', lane }, clock.now()))) !== null
  }

  async function handle(claim: Claim): Promise<void> {
    const found = await store.task(claim.id)
    // Only the claim is left to give back.
    if (!found || hasEnded(found.status)) return drop(claim)
    const sources = await store.tasks(found.dependsOn)
    if (await move(found, laneOf(found, sources, deps))) return
    const task = await start(found)
    if (!task) return drop(claim)
    const timeout = AbortSignal.timeout(deps.taskTimeout)
    const signal = AbortSignal.any([claim.signal, stopping.signal, timeout])
    const begun = clock.now()
    const { happening, end } = await run(task, sources, signal, (error) => outcomeOf(error, task, { claim, timeout }))
    // Others wait for the news, nobody for the cleaning up.
    await report(claim, task, happening, begun).finally(end)
  }

  async function report(claim: Claim, task: Task, happening: Happening | null, begun: number): Promise<void> {
    if (happening === null) return release(claim)
    const kept = happening.type === 'completed' ? (happening.result.files ?? []) : []
    try {
      const written = await store.change(
        claim.id,
        (slice) => withWhatFollows(slice, transition(slice, happening, clock.now())),
        (tx) => claim.settle(tx),
      )
      if (!written) await discard(kept)
      else deps.ended?.(task, (clock.now() - begun) / 1000, happening.type === 'completed')
    } catch (error) {
      await discard(kept)
      if (!(error instanceof ClaimLost)) throw error
    }
  }

  const share: Share = (file, filename) => ({ ...file, id: newId(clock.now()), filename })

  const withWhatFollows = (slice: Slice, change: Change | null): Change | null =>
    change && andInstantly(slice, change, deps.operations, clock.now(), share)

  /** "Running tasks finish or go back to the queue": the next start offers it again, and this attempt does not count. */
  async function release(claim: Claim): Promise<void> {
    if (!claim.signal.aborted)
      await store.change(claim.id, (slice) => transition(slice, { type: 'released' }, clock.now()))
  }

  /** What was kept for a task that has gone in the meantime belongs to nobody. Shared blobs are still in use. */
  async function discard(files: readonly TaskFile[]): Promise<void> {
    const blobs = files.map((file) => file.blob)
    const used = await store.blobsInUse(blobs)
    await deps.blobs.remove(blobs.filter((blob) => !used.has(blob)))
  }

  const drop = (claim: Claim): Promise<void> => deps.transact((tx) => claim.settle(tx))

  async function run(
    task: Task,
    sources: readonly Task[],
    signal: AbortSignal,
    explain: (error: unknown) => Happening | null,
  ) {
    let end = async (): Promise<void> => {}
    try {
      const happening = await perform(task, sources, signal, (running) => {
        end = running.end
      })
      return { happening, end }
    } catch (error) {
      return { happening: explain(error), end }
    }
  }

  async function perform(
    task: Task,
    sources: readonly Task[],
    signal: AbortSignal,
    begin: (running: Running) => void,
  ): Promise<Happening> {
    const operation = deps.operations.get(task.operation)
    if (!operation) throw new Failure('processing_failed', `The operation ${task.operation} is not available here.`)
    const inputs = inputFiles(task, sources)
    const params = openPayload(task, deps.sealer)
    if (operation.instant?.when(params))
      return { type: 'completed', result: { files: operation.instant.files(params, inputs, share) } }
    const running = deps.contexts({ task, params, inputs, signal, progress: createProgress(task) })
    begin(running)
    const { files, more } = await operation.run(running.context)
    signal.throwIfAborted()
    return { type: 'completed', result: { files, ...(more && { more }) } }
  }

  /** "A task whose input has expired files fails with a clear msg." */
  function inputFiles(task: Task, sources: readonly Task[]): TaskFile[] {
    const found = new Map(sources.map((input) => [input.id, input]))
    return task.dependsOn.flatMap((id) => {
      const input = found.get(id)
      if (!input) throw new Failure('user_deleted_task', `The input task ${id} was deleted.`)
      if (input.expiresAt <= clock.now())
        throw new Failure('processing_failed', `The files of the input task "${input.name}" have expired.`)
      return input.result?.files ?? []
    })
  }

  /** Tells at most once a second, and only whole percents that grew. */
  function createProgress(task: Task): (percent: number) => void {
    let told = 0
    let at = 0
    return (percent) => {
      const whole = Math.floor(percent)
      if (whole <= told || whole > 100 || clock.now() - at < PROGRESS_EVERY) return
      told = whole
      at = clock.now()
      store
        .change(task.id, (slice) => transition(slice, { type: 'progressed', percent: whole }, clock.now()))
        .catch((error) => deps.log.warn({ task: task.id, err: error }, 'progress was not written'))
    }
  }

  /** What an error means for the task; null when nobody asks any more or the task will run again. */
  function outcomeOf(
    error: unknown,
    task: Task,
    { claim, timeout }: { claim: Claim; timeout: AbortSignal },
  ): Happening | null {
    if (claim.signal.aborted || stopping.signal.aborted) return null
    if (timeout.aborted)
      return {
        type: 'failed',
        errorCode: 'engine_timeout',
        msg: `The task took longer than ${deps.taskTimeout / 1000} s.`,
      }
    if (error instanceof Failure) {
      deps.log.info(
        { task: task.id, operation: task.operation, code: error.errorCode, detail: error.detail },
        error.message,
      )
      return { type: 'failed', errorCode: error.errorCode, msg: error.message }
    }
    deps.log.error({ task: task.id, operation: task.operation, err: error }, 'task failed unexpectedly')
    return {
      type: 'failed',
      errorCode: 'processing_failed',
      msg: 'The task failed because of an error in the service.',
    }
  }

  /** "A task that was running when the process died runs again, three times at most." */
  async function giveUp(claim: Claim): Promise<void> {
    const msg = `The task was interrupted ${MOST_ATTEMPTS} times and was given up.`
    const written = await store.change(
      claim.id,
      (slice) => transition(slice, { type: 'failed', errorCode: 'engine_timeout', msg }, clock.now()),
      (tx) => claim.settle(tx),
    )
    if (!written) await drop(claim)
  }

  const consumers: Consumer[] = [
    ...(Object.entries(deps.capacity) as [Lane, number][]).map(([lane, most]) => queue.consume([lane], most, handle)),
    queue.exhausted(giveUp),
  ]
  return {
    /** Takes no more. What does not finish within `grace` milliseconds is stopped and runs again after the next start. */
    async stop(grace: number): Promise<void> {
      const closed = Promise.all(consumers.map((consumer) => consumer.close()))
      const late = setTimeout(() => stopping.abort(new Error('the server stops')), grace)
      await closed
      clearTimeout(late)
    },
  }
}
