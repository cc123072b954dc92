/** Takes ready tasks, runs them, reports. A task begins when it is written whose it is; one transaction ends it together with its claim. */
import type { Change, Slice } from '../core/change.ts'
import { Failure } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { AT_ONCE, type Happening, taken, transition } from '../core/machine.ts'
import { type Left, most, type Plan } from '../core/quota.ts'
import type { Sealer } from '../core/secret.ts'
import { hasEnded, type Lane, type Task, type TaskFile, takenIn } from '../core/task.ts'
import { abilitiesIn, type Cluster } from '../operations/cluster.ts'
import type { Operations } from '../operations/index.ts'
import { abilitiesFor, laneOf } from '../operations/lane.ts'
import type { Share } from '../operations/operation.ts'
import { openPayload } from '../operations/plan.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'
import type { Metering } from '../ports/metering.ts'
import { type Claim, ClaimLost, type Consumer, type Handle, MOST_ATTEMPTS, type Queue } from '../ports/queue.ts'
import type { Database } from '../ports/sql.ts'
import type { Store } from '../ports/store.ts'
import { type Allowance, allow } from './allowance.ts'
import type { createContexts, Running } from './context.ts'
import { andInstantly } from './instantly.ts'
import type { Log } from './log.ts'
import { type Ends, outcomeOf, stoppedBy } from './outcome.ts'
import type { PartWorker } from './part-worker.ts'

export interface WorkerDeps {
  store: Store
  transact: Database['transact']
  queue: Queue
  blobs: Blobs
  clock: Clock
  sealer: Sealer
  metering: Pick<Metering, 'terms' | 'used'>
  operations: Operations
  /** What this node is part of. */
  cluster: Pick<Cluster, 'catalog' | 'look' | 'serves' | 'has' | 'needsFor'>
  contexts: ReturnType<typeof createContexts>
  /** Does parts of tasks that others run. */
  parts: PartWorker
  log: Log
  /** How many tasks at a time, by lane. */
  capacity: Readonly<Record<Lane, number>>
  /** Milliseconds one task may run. */
  taskTimeout: number
  /** Bytes of the largest file; a plan may say less. */
  maxFileSize: number
  /** Told of every task that ended here, and of the limit that stopped it, for `/metrics`. */
  ended?(task: Task, seconds: number, ok: boolean, stopped: Left | null): void
}

const PROGRESS_EVERY = 1000

/** What a task is run with. */
interface Given {
  sources: readonly Task[]
  signal: AbortSignal
  maxFileSize: number
}

export function startWorker(deps: WorkerDeps) {
  const { store, queue, clock, taskTimeout } = deps
  const stopping = new AbortController()

  /** The task as it is ours; null when it ended or went before we came. */
  async function take(task: Task, sources: readonly Task[]): Promise<Task | null> {
    const ours = taken(task, takenIn(sources.flatMap(({ result }) => result?.files ?? [])), clock.now())
    return (await store.take(ours)) ? ours : null
  }

  /** Tells that it has begun, unless it is over before that. */
  function tellSoon(task: Task): Disposable {
    const tell = (slice: Slice) => transition(slice, { type: 'started' }, clock.now())
    const failed = (error: unknown) => deps.log.warn({ task: task.id, err: error }, 'the start was not written')
    const timer = setTimeout(() => void store.change(task.id, tell).catch(failed), AT_ONCE)
    return { [Symbol.dispose]: () => clearTimeout(timer) }
  }

  const isInstant = (task: Task): boolean => deps.operations.get(task.operation)?.instant?.when(task.payload) ?? false

  /** What a task is like shows when its inputs are known: a long one goes where it holds up nobody, any to who can do it. */
  async function move(task: Task, sources: readonly Task[]): Promise<boolean> {
    const { cluster } = deps
    // Who came a moment ago may be the one that can do it.
    const place = placeFor(task, sources) ?? (await cluster.look().then(() => placeFor(task, sources)))
    // Where nobody can do it, it fails here, in words.
    if (!place || (place.lane === task.lane && cluster.has(place.abilities))) return false
    const moved = { type: 'moved' as const, lane: place.lane, needs: cluster.needsFor(place.lane, place.abilities) }
    return (await store.change(task.id, (slice) => transition(slice, moved, clock.now()))) !== null
  }

  /** Where there is somebody for it, as far as we know. */
  function placeFor(task: Task, sources: readonly Task[]): { lane: Lane; abilities: string[] } | null {
    const { operations, cluster } = deps
    const knowing = { operations, catalog: cluster.catalog }
    const abilities = abilitiesFor(task, sources, knowing)
    const lane = abilities && [laneOf(task, sources, knowing), task.lane].find((one) => cluster.serves(one, abilities))
    return lane ? { lane, abilities } : null
  }

  async function handle(claim: Claim): Promise<void> {
    const found = await store.task(claim.id)
    // Only the claim is left to give back.
    if (!found || hasEnded(found.status)) return drop(claim)
    const sources = await store.tasks(found.dependsOn)
    if (isInstant(found)) return attempt(claim, found, sources, null, null)
    if (await move(found, sources)) return
    const terms = await deps.metering.terms(found.user, found.key)
    using allowance = await allow({ ...deps, failed: cannotLook(found) }, found, terms)
    const out = allowance.out()
    if (out) return report(claim, found, { ...stoppedBy(out), lost: true }, clock.now(), out)
    const task = await take(found, sources)
    if (!task) return drop(claim)
    await attempt(claim, task, sources, terms.plan, allowance)
  }

  async function attempt(
    claim: Claim,
    task: Task,
    sources: readonly Task[],
    plan: Plan | null,
    allowance: Allowance | null,
  ): Promise<void> {
    const timeout = AbortSignal.timeout(taskTimeout)
    const minutes = allowance ? [allowance.signal] : []
    const signal = AbortSignal.any([claim.signal, stopping.signal, timeout, ...minutes])
    const begun = clock.now()
    const maxFileSize = most(plan?.maxFileSize ?? null, deps.maxFileSize)
    const unwanted = () => claim.signal.aborted || stopping.signal.aborted
    const ends: Ends = { unwanted, out: () => allowance?.out() ?? null, timeout, taskTimeout }
    using _telling = task.takenAt !== null && task.startedAt === null ? tellSoon(task) : null
    const { happening, end } = await run(task, { sources, signal, maxFileSize }, (error) =>
      outcomeOf(error, task, ends, deps.log),
    )
    // Others wait for the news, nobody for the cleaning up.
    const stopped = happening?.type === 'failed' ? ends.out() : null
    await report(claim, task, happening, begun, stopped).finally(end)
  }

  const cannotLook = (task: Task) => (error: unknown) =>
    deps.log.warn({ task: task.id, err: error }, 'what is left of the minutes is not known')

  async function report(
    claim: Claim,
    task: Task,
    happening: Happening | null,
    begun: number,
    stopped: Left | null,
  ): Promise<void> {
    if (happening === null) return release(claim)
    const kept = happening.type === 'completed' ? (happening.result.files ?? []) : []
    try {
      const written = await store.change(
        claim.id,
        (slice) => withWhatFollows(slice, transition(slice, happening, clock.now())),
        (tx) => claim.settle(tx),
      )
      if (!written) await discard(kept)
      else deps.ended?.(task, (clock.now() - begun) / 1000, happening.type === 'completed', stopped)
    } catch (error) {
      await discard(kept)
      if (!(error instanceof ClaimLost)) throw error
    }
  }

  const share: Share = (file, filename) => ({ ...file, id: newId(clock.now()), filename })

  const withWhatFollows = (slice: Slice, change: Change | null): Change | null =>
    change && andInstantly(slice, change, deps.operations, clock.now(), share)

  /** "Running tasks finish or go back to the queue": another worker may have it at once, and this attempt does not count. */
  async function release(claim: Claim): Promise<void> {
    if (claim.signal.aborted) return
    const back = (slice: Slice) => transition(slice, { type: 'released' }, clock.now())
    await store.change(claim.id, back, (tx) => claim.release(tx))
  }

  /** What was kept for a task that has gone in the meantime belongs to nobody. Shared blobs are still in use. */
  async function discard(files: readonly TaskFile[]): Promise<void> {
    const blobs = files.map((file) => file.blob)
    const used = await store.blobsInUse(blobs)
    await deps.blobs.remove(blobs.filter((blob) => !used.has(blob)))
  }

  const drop = (claim: Claim): Promise<void> => deps.transact((tx) => claim.settle(tx))

  async function run(task: Task, given: Given, explain: (error: unknown) => Happening | null) {
    let end = async (): Promise<void> => {}
    try {
      const happening = await perform(task, given, (running) => {
        end = running.end
      })
      return { happening, end }
    } catch (error) {
      return { happening: explain(error), end }
    }
  }

  async function perform(
    task: Task,
    { sources, signal, maxFileSize }: Given,
    begin: (running: Running) => void,
  ): Promise<Happening> {
    const operation = deps.operations.get(task.operation)
    if (!operation) throw new Failure('processing_failed', `The operation ${task.operation} is not available here.`)
    const inputs = inputFiles(task, sources)
    const params = openPayload(task, deps.sealer)
    if (operation.instant?.when(params))
      return {
        type: 'completed',
        result: { files: operation.instant.files(params, inputs, share) },
        takes: takenIn(inputs),
      }
    const running = deps.contexts({ task, params, inputs, signal, maxFileSize, progress: createProgress(task) })
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

  /** "A task that was running when the process died runs again, three times at most." */
  async function giveUp(claim: Claim): Promise<void> {
    const msg = `The task was interrupted ${MOST_ATTEMPTS} times and was given up.`
    const written = await store.change(
      claim.id,
      (slice) => transition(slice, { type: 'failed', errorCode: 'engine_timeout', msg, lost: true }, clock.now()),
      (tx) => claim.settle(tx),
    )
    if (!written) await drop(claim)
  }

  const covers = (needs: string): boolean => deps.cluster.has(abilitiesIn(needs))
  const handlerOf = (lane: Lane): Handle =>
    lane === 'parts' ? (claim) => deps.parts.handle(claim, stopping.signal) : handle

  const consumers: Consumer[] = [
    ...(Object.entries(deps.capacity) as [Lane, number][])
      .filter(([, most]) => most > 0)
      .map(([lane, most]) => queue.consume([lane], most, handlerOf(lane), covers)),
    queue.exhausted((claim) => (claim.lane === 'parts' ? deps.parts.giveUp(claim) : giveUp(claim))),
  ]
  return {
    /** Takes no more. What does not finish within `grace` milliseconds is stopped and given back. */
    async stop(grace: number): Promise<void> {
      const closed = Promise.all(consumers.map((consumer) => consumer.close()))
      const late = setTimeout(() => stopping.abort(new Error('the server stops')), grace)
      await closed
      clearTimeout(late)
    },
  }
}
