import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concerns } from './events.ts'
import type { ReforgeEvent } from './schema.ts'

const taskEvent = { type: 'task_started', data: { id: 't', job: 'j', user: 'u' } } as ReforgeEvent
const jobEvent = { type: 'job_started', data: { id: 'j', user: 'u' } } as ReforgeEvent

test('a channel carries its own events and no others', () => {
  const cases: [string, boolean, boolean][] = [
    ['job.j', true, true],
    ['job.other', false, false],
    ['task.t', true, false],
    ['task.j', false, false],
    ['user.u.tasks', true, false],
    ['user.u.jobs', false, true],
    ['user.v.jobs', false, false],
  ]
  for (const [channel, task, job] of cases)
    assert.deepEqual([concerns(channel, taskEvent), concerns(channel, jobEvent)], [task, job], channel)
})
