/** A job that is being put together: its steps and what they take from each other. Pure. */
import type { JobBody, TaskDefinition } from '@reforge/sdk'
import { kindOf } from '../../graph/kinds.ts'

export interface Step {
  /** Stays when the name changes. */
  id: string
  name: string
  operation: string
  /** Ids of steps, or of tasks of earlier jobs. */
  inputs: readonly string[]
  params: Readonly<Record<string, unknown>>
  /** What the input is said to be, to show its settings; not part of the job. */
  assumed?: string | undefined
}

export interface Draft {
  tag: string
  steps: readonly Step[]
}

export const EMPTY: Draft = { tag: '', steps: [] }

let made = 0
const newId = (): string => `step-${++made}`

/** The operation's own word, numbered where it is taken: `convert`, `convert-2`. */
export function freeName(operation: string, steps: readonly Step[]): string {
  const base =
    (operation.startsWith('import/') || operation.startsWith('export/') ? operation.split('/')[0] : operation) ?? ''
  const taken = new Set(steps.map(({ name }) => name))
  let name = base
  for (let number = 2; taken.has(name); number++) name = `${base}-${number}`
  return name
}

export const find = ({ steps }: Draft, id: string): Step | undefined => steps.find((step) => step.id === id)

/** Whose files nobody takes yet. */
const openEnds = ({ steps }: Draft): Step[] =>
  steps.filter(
    ({ id, operation }) => kindOf(operation) !== 'export' && !steps.some(({ inputs }) => inputs.includes(id)),
  )

/** A new step takes from the chosen one, or from the only loose end; a merge from all of them. */
export function add(draft: Draft, operation: string, after?: string): { draft: Draft; id: string } {
  const id = newId()
  const chosen = after === undefined ? undefined : find(draft, after)
  const ends = openEnds(draft).map((step) => step.id)
  const takes = kindOf(operation) !== 'import'
  const inputs = !takes
    ? []
    : operation === 'merge' && ends.length > 1
      ? ends
      : chosen && kindOf(chosen.operation) !== 'export'
        ? [chosen.id]
        : ends.length === 1
          ? ends
          : []
  const step: Step = { id, name: freeName(operation, draft.steps), operation, inputs, params: {} }
  return { draft: { ...draft, steps: [...draft.steps, step] }, id }
}

export const change = (draft: Draft, id: string, more: Partial<Omit<Step, 'id'>>): Draft => ({
  ...draft,
  steps: draft.steps.map((step) => (step.id === id ? { ...step, ...more } : step)),
})

export const remove = (draft: Draft, id: string): Draft => ({
  ...draft,
  steps: draft.steps
    .filter((step) => step.id !== id)
    .map((step) => ({ ...step, inputs: step.inputs.filter((input) => input !== id) })),
})

/** Whether files of the first get to the second. */
export function leads(draft: Draft, from: string, to: string, seen = new Set<string>()): boolean {
  if (from === to) return true
  if (seen.has(to)) return false
  seen.add(to)
  return (find(draft, to)?.inputs ?? []).some((input) => leads(draft, from, input, seen))
}

export function mayConnect(draft: Draft, from: string, to: string): boolean {
  const source = find(draft, from)
  const target = find(draft, to)
  if (!source || !target || kindOf(source.operation) === 'export' || kindOf(target.operation) === 'import') return false
  return !target.inputs.includes(from) && !leads(draft, to, from)
}

export const connect = (draft: Draft, from: string, to: string): Draft => {
  const target = find(draft, to)
  return target && mayConnect(draft, from, to) ? change(draft, to, { inputs: [...target.inputs, from] }) : draft
}

export const disconnect = (draft: Draft, from: string, to: string): Draft =>
  change(draft, to, { inputs: (find(draft, to)?.inputs ?? []).filter((input) => input !== from) })

const isGiven = (value: unknown): boolean =>
  value !== undefined &&
  value !== '' &&
  !(typeof value === 'object' && value !== null && Object.keys(value).length === 0)

export function bodyOf(draft: Draft): JobBody {
  const named = (input: string) => find(draft, input)?.name ?? input
  const definition = ({ operation, inputs, params }: Step) => {
    const names = inputs.map(named)
    return {
      operation,
      ...(names.length > 0 && { input: names.length === 1 ? names[0] : names }),
      ...Object.fromEntries(Object.entries(params).filter(([, value]) => isGiven(value))),
      // The server is the judge of what is in it.
    } as TaskDefinition
  }
  return {
    ...(draft.tag && { tag: draft.tag }),
    tasks: Object.fromEntries(draft.steps.map((step) => [step.name, definition(step)])),
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Any job's JSON; null for what is none. */
export function draftOf(body: unknown): Draft | null {
  if (!isRecord(body) || !isRecord(body.tasks)) return null
  const entries = Object.entries(body.tasks).filter((entry): entry is [string, Record<string, unknown>] =>
    isRecord(entry[1]),
  )
  const ids = new Map(entries.map(([name]) => [name, newId()]))
  const steps = entries.map(([name, { operation, input, ...params }]): Step => {
    const inputs = [input ?? []].flat().map((each) => ids.get(String(each)) ?? String(each))
    return { id: ids.get(name) ?? '', name, operation: String(operation ?? ''), inputs, params }
  })
  return { tag: typeof body.tag === 'string' ? body.tag : '', steps }
}
