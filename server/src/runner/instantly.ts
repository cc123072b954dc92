/**
 * What follows from the end of a task without any work, decided in the same breath: a link to a result is there together
 * with the result, and one transaction makes both durable.
 */
import { both, type Change, type Slice, sliceAfter } from '../core/change.ts'
import { transition } from '../core/machine.ts'
import { type Task, takenIn } from '../core/task.ts'
import type { Operations } from '../operations/index.ts'
import type { Share } from '../operations/operation.ts'

export function andInstantly(slice: Slice, change: Change, operations: Operations, now: number, share: Share): Change {
  const ended = new Map(change.tasks.map((task) => [task.id, task]))
  const follow = (so: Change, task: Task): Change => {
    const instant = operations.get(task.operation)?.instant
    // Other inputs ended earlier, and their files are not at hand here.
    const source = task.dependsOn.length === 1 ? ended.get(task.dependsOn[0] ?? '') : undefined
    if (!source?.result?.files || task.sealed || !instant?.when(task.payload)) return so
    const files = instant.files(task.payload, source.result.files, share)
    const takes = takenIn(source.result.files)
    const next = transition(sliceAfter(slice, so, task), { type: 'completed', result: { files }, takes }, now)
    return next ? both(so, next) : so
  }
  return change.offer.reduce(follow, change)
}
