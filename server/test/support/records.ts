/** Records for tests: whole and valid, with what matters to the test given. */
import { newId } from '../../src/core/ids.ts'
import { FILES_KEPT, type Job, RECORDS_KEPT, type Task, type TaskResult } from '../../src/core/task.ts'

/** A time for tests to start from; nothing may look at the real clock. */
export const NOON = Date.UTC(2030, 5, 15, 12)

export function aTask(more: Partial<Task> = {}): Task {
  const createdAt = more.createdAt ?? NOON
  return {
    id: newId(createdAt),
    user: 'ada',
    key: null,
    job: null,
    name: 'task',
    operation: 'convert',
    lane: 'light',
    needs: null,
    waits: false,
    status: 'created',
    payload: {},
    sealed: null,
    dependsOn: [],
    waitingFor: 0,
    priority: 0,
    attempts: 0,
    takenAt: null,
    bytesIn: 0,
    source: null,
    percent: null,
    result: null,
    createdAt,
    startedAt: null,
    endedAt: null,
    updatedAt: createdAt,
    expiresAt: createdAt + FILES_KEPT,
    keptUntil: createdAt + RECORDS_KEPT,
    ...more,
  }
}

export function aJob(more: Partial<Job> = {}): Job {
  const createdAt = more.createdAt ?? NOON
  return {
    id: newId(createdAt),
    user: 'ada',
    tag: null,
    webhookUrl: null,
    status: 'created',
    open: 0,
    result: null,
    createdAt,
    startedAt: null,
    endedAt: null,
    updatedAt: createdAt,
    expiresAt: createdAt + RECORDS_KEPT,
    ...more,
  }
}

/** A result with one file for each blob. */
export const filesOf = (...blobs: string[]): TaskResult => ({
  files: blobs.map((blob) => ({ id: newId(NOON), blob, filename: `${blob}.pdf`, size: 1, format: 'pdf' })),
})
