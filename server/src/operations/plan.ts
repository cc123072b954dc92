/**
 * Turns a request into records, or into every problem it has, each with its path. Reads, never writes: what it answers
 * is handed to the store, which calls `decide` once more inside the transaction.
 */
import { Type } from 'typebox'
import type { Catalog } from '../catalog/catalog.ts'
import { begin, type Change } from '../core/change.ts'
import { type Issue, invalid } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { mask, type Sealer } from '../core/secret.ts'
import { at, read } from '../core/shape.ts'
import { isMetered, type Job, type JsonObject, type Task } from '../core/task.ts'
import { checkFormats } from './check-formats.ts'
import { checkInputs, findCircles } from './check-inputs.ts'
import { type Draft, draftTask } from './draft.ts'
import type { Operations } from './index.ts'

export interface PlanContext {
  user: string
  /** The key it is asked with; null for a session. */
  key: string | null
  /** Milliseconds that files and records are kept. */
  kept: { files: number; records: number }
  now: number
  operations: Operations
  catalog: Catalog
  sealer: Sealer
  /** Why nothing can be sent to this address, or null. */
  unreachable(url: string): Promise<string | null>
  /** Of the ids, those that are tasks of this user. */
  find(ids: readonly string[]): Promise<Task[]>
}

export interface Plan {
  /** Ids of earlier tasks that the new ones take input from. */
  inputs: string[]
  /** Fields that were ignored, for the answer. */
  warnings: Issue[]
  /** Whether any of it is paid for by time. */
  metered: boolean
  /** Throws a Problem when an input has gone or failed in the meantime. */
  decide(inputs: ReadonlyMap<string, Task>): Change
}

export const MOST_TASKS = 500

export const JobBody = Type.Object({
  tag: Type.Optional(Type.String({ maxLength: 1000, description: 'Any text; has no effect.' })),
  webhook_url: Type.Optional(
    Type.String({ minLength: 1, maxLength: 2048, description: 'Is told when the job is created, succeeds or fails.' }),
  ),
  tasks: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Task definitions by name. A name may contain only letters, digits, dash and underscore.',
  }),
})

export async function planJob(body: unknown, context: PlanContext): Promise<Plan> {
  const { value, issues, unknown } = read(JobBody, body)
  const warnings = unknown.map((name) => ignored('', name))
  const drafts: Draft[] = []
  if (value.tasks) {
    const entries = Object.entries(value.tasks)
    if (entries.length === 0) issues.push({ path: 'tasks', message: 'must contain at least one task.' })
    if (entries.length > MOST_TASKS)
      issues.push({ path: 'tasks', message: `must contain at most ${MOST_TASKS} tasks; there are ${entries.length}.` })
    for (const [name, definition] of entries.slice(0, MOST_TASKS)) {
      const path = at('tasks', name)
      if (!/^[A-Za-z0-9_-]{1,100}$/.test(name))
        issues.push({ path, message: 'must be named with letters, digits, dash and underscore only.' })
      drafts.push(draftTask({ path, name, definition, id: newId(context.now), operations: context.operations }))
    }
  }
  const problem = value.webhook_url === undefined ? null : await context.unreachable(value.webhook_url)
  if (problem) issues.push({ path: 'webhook_url', message: problem })
  const job = newJob(value.tag ?? null, value.webhook_url ?? null, context)
  return finish(job, drafts, issues, warnings, context)
}

export async function planTask(operation: string, body: unknown, context: PlanContext): Promise<Plan> {
  const definition = body === undefined || body === null ? {} : body
  const draft = draftTask({
    path: '',
    name: operation,
    definition,
    operation,
    id: newId(context.now),
    operations: context.operations,
  })
  return finish(null, [draft], [], [], context)
}

async function finish(
  job: Job | null,
  drafts: readonly Draft[],
  issues: Issue[],
  warnings: Issue[],
  context: PlanContext,
): Promise<Plan> {
  for (const draft of drafts) {
    issues.push(...draft.issues)
    warnings.push(...draft.unknown.map((name) => ignored(draft.path, name)))
  }
  const found = new Map((await context.find(outside(drafts))).map((task) => [task.id, task]))
  const linked = checkInputs(drafts, found, context.now)
  issues.push(...linked.issues, ...findCircles(drafts))
  // Formats can be followed only along inputs that make sense.
  if (linked.issues.length === 0) issues.push(...checkFormats(drafts, found, context.catalog))
  if (issues.length) throw invalid(issues)

  const tasks = drafts.map((draft) => newTask(draft, linked.dependsOn(draft), job, context))
  const inputs = [...new Set(tasks.flatMap((task) => task.dependsOn))].filter((id) => !drafts.some((d) => d.id === id))
  return {
    inputs,
    warnings,
    metered: tasks.some(isMetered),
    decide(now) {
      const late = checkInputs(drafts, now, context.now).issues
      if (late.length) throw invalid(late)
      return begin(job, tasks, now)
    },
  }
}

/** What may be the id of an earlier task: every input that no task of the same request is named. */
function outside(drafts: readonly Draft[]): string[] {
  const names = new Set(drafts.map((draft) => draft.name))
  return [...new Set(drafts.flatMap((draft) => draft.input))].filter((ref) => !names.has(ref))
}

function newTask(draft: Draft, dependsOn: string[], job: Job | null, context: PlanContext): Task {
  const { user, key, now, kept, sealer } = context
  const operation = draft.operation!
  // A secret of another operation, sent to this one by mistake, is one all the same.
  const secrets = [...context.operations.values()].flatMap((each) => each.secrets ?? [])
  const payload = mask(draft.payload, [...secrets, ...context.catalog.secrets])
  const hidden = Object.fromEntries(
    Object.entries(draft.payload).filter(([name, value]) => JSON.stringify(payload[name]) !== JSON.stringify(value)),
  )
  return {
    id: draft.id,
    user,
    key,
    job: job?.id ?? null,
    name: draft.name,
    operation: operation.name,
    lane: operation.lane,
    needs: null,
    waits: operation.waits ?? false,
    status: operation.waits ? 'processing' : 'created',
    payload,
    sealed: Object.keys(hidden).length ? sealer.seal(JSON.stringify(hidden), sealedAt(user, draft.id)) : null,
    dependsOn,
    waitingFor: 0,
    priority: 0,
    attempts: 0,
    takenAt: null,
    bytesIn: 0,
    source: null,
    percent: null,
    result: null,
    createdAt: now,
    startedAt: null,
    endedAt: null,
    updatedAt: now,
    expiresAt: now + kept.files,
    keptUntil: now + kept.records,
  }
}

const sealedAt = (user: string, task: string): string => `${user}:${task}:payload`

/** The payload as it was sent, for the worker that runs the task. */
export function openPayload(task: Task, sealer: Sealer): JsonObject {
  if (!task.sealed) return task.payload
  return { ...task.payload, ...(JSON.parse(sealer.open(task.sealed, sealedAt(task.user, task.id))) as JsonObject) }
}

function newJob(tag: string | null, webhookUrl: string | null, { user, now, kept }: PlanContext): Job {
  return {
    id: newId(now),
    user,
    tag,
    webhookUrl,
    status: 'created',
    open: 0,
    result: null,
    createdAt: now,
    startedAt: null,
    endedAt: null,
    updatedAt: now,
    expiresAt: now + kept.records,
  }
}

const ignored = (path: string, name: string): Issue => ({
  path: at(path, name),
  message: 'is not a field of this operation and was ignored.',
})
