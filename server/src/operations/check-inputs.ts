/** Inputs: names of the same job, or ids of the caller's earlier tasks. */
import type { Issue } from '../core/errors.ts'
import { at } from '../core/shape.ts'
import type { Task } from '../core/task.ts'
import type { Draft } from './draft.ts'

interface Linked {
  issues: Issue[]
  dependsOn(draft: Draft): string[]
}

/** "Unknown name, another user's id, a cycle, itself: 400 naming it." */
export function checkInputs(drafts: readonly Draft[], found: ReadonlyMap<string, Task>, now: number): Linked {
  const names = new Map(drafts.map((draft) => [draft.name, draft]))
  const inJob = drafts.length > 1 || drafts[0]?.path !== ''
  const issues: Issue[] = []
  for (const draft of drafts)
    for (const ref of draft.input) {
      const path = at(draft.path, 'input')
      if (inJob && names.has(ref)) {
        if (ref === draft.name) issues.push({ path, message: `"${ref}" is the task itself.` })
        continue
      }
      const message = unfit(ref.slice(0, 100), found.get(ref), inJob, now)
      if (message) issues.push({ path, message })
    }
  for (const draft of drafts) {
    const least = draft.operation?.inputs[0] ?? 0
    const [only = ''] = draft.input
    // One task may bring several files; only where it certainly does not, the wish cannot be meant.
    const one = inJob && names.has(only) ? bringsOne(names.get(only)) : hasOne(found.get(only))
    if (draft.input.length > 0 && draft.input.length < least && one)
      issues.push({ path: at(draft.path, 'input'), message: `must name ${least} or more tasks.` })
  }
  const idOf = (ref: string) => (inJob && names.get(ref)?.id) || ref
  return { issues, dependsOn: (draft) => draft.input.map(idOf) }
}

/** An import brings one file, unless it goes by a prefix. */
const bringsOne = (draft: Draft | undefined): boolean =>
  draft?.operation?.name.startsWith('import/') === true && !draft.params.key_prefix

const hasOne = (task: Task | undefined): boolean => {
  if (task?.status === 'completed') return (task.result?.files?.length ?? 0) < 2
  return task === undefined || (task.operation.startsWith('import/') && !task.payload.key_prefix)
}

/** "An input that has already failed, was canceled or has expired: 400 naming it." */
function unfit(ref: string, task: Task | undefined, inJob: boolean, now: number): string | null {
  if (!task)
    return inJob
      ? `"${ref}" is neither a task of this job nor the id of an earlier task of yours.`
      : `"${ref}" is not the id of a task of yours.`
  if (task.status === 'failed') return `the task "${ref}" has failed, so there is nothing to take from it.`
  if (task.status === 'canceled') return `the task "${ref}" was canceled, so there is nothing to take from it.`
  if (task.expiresAt <= now) return `the files of the task "${ref}" have expired.`
  return null
}

export function findCircles(drafts: readonly Draft[]): Issue[] {
  const byName = new Map(drafts.map((draft) => [draft.name, draft]))
  const state = new Map<string, 'open' | 'done'>()
  const issues: Issue[] = []
  const visit = (draft: Draft, trail: readonly string[]): void => {
    if (state.get(draft.name) === 'done') return
    if (state.get(draft.name) === 'open') {
      const circle = [...trail.slice(trail.indexOf(draft.name)), draft.name]
      if (circle.length > 2)
        issues.push({ path: at(draft.path, 'input'), message: `goes in a circle: ${circle.join(' → ')}.` })
      return
    }
    state.set(draft.name, 'open')
    for (const ref of draft.input) {
      const next = byName.get(ref)
      if (next) visit(next, [...trail, draft.name])
    }
    state.set(draft.name, 'done')
  }
  for (const draft of drafts) visit(draft, [])
  return issues
}
