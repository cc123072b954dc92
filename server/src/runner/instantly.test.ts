import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { aTask } from '../../test/support/records.ts'
import { begin, type Slice } from '../core/change.ts'
import { transition } from '../core/machine.ts'
import type { Task, TaskFile } from '../core/task.ts'
import type { Operations } from '../operations/index.ts'
import { type Operation, operation } from '../operations/operation.ts'
import { andInstantly } from './instantly.ts'

const link = operation({
  name: 'export/url',
  summary: '',
  lane: 'io',
  inputs: [1, 9],
  params: Type.Object({ slow: Type.Optional(Type.Boolean()) }),
  instant: { when: ({ slow }) => !slow, files: (_, inputs, share) => inputs.map((file) => share(file, 'linked.png')) },
  run: async () => ({ files: [] }),
})
const operations: Operations = new Map([['export/url', link as unknown as Operation]])
const file: TaskFile = { id: 'f', blob: 'b', filename: 'a.png', size: 1, format: 'png' }

/** What the end of `first` comes to, with everything that follows from it. */
function end(first: Task, ...others: Task[]) {
  const born = begin(null, [first, ...others], new Map()).tasks
  const slice: Slice = { subjects: born.slice(0, 1), dependents: born.slice(1), jobs: [] }
  const change = transition(slice, { type: 'completed', result: { files: [file] } }, 7)
  assert.ok(change)
  return andInstantly(slice, change, operations, 7, (shared, filename) => ({ ...shared, id: 'g', filename }))
}

const exporting = (id: string, more: Partial<Task>) => aTask({ id, operation: 'export/url', lane: 'io', ...more })

describe('what takes no work', () => {
  const source = aTask({ id: 'source' })

  test('is done together with what it waits for', () => {
    const { tasks, offer, events } = end(source, exporting('link', { dependsOn: ['source'] }))
    const linked = tasks.find(({ id }) => id === 'link')
    assert.equal(linked?.status, 'completed')
    assert.deepEqual(linked?.result?.files, [{ ...file, id: 'g', filename: 'linked.png' }])
    assert.deepEqual(offer, [])
    assert.deepEqual(
      events.flatMap((event) => ('task' in event ? [`${event.task.id} ${event.type}`] : [])),
      ['source task_started', 'source task_completed', 'link task_started', 'link task_completed'],
    )
  })

  test('lets go on what waits for it', () => {
    const { offer } = end(
      source,
      exporting('link', { dependsOn: ['source'] }),
      aTask({ id: 'next', operation: 'convert', dependsOn: ['link'] }),
    )
    assert.deepEqual(
      offer.map(({ id }) => id),
      ['next'],
    )
  })

  test('is offered as ever when it has work to do, waits for another, or takes files that are not at hand', () => {
    const slow = exporting('slow', { dependsOn: ['source'], payload: { slow: true } })
    const two = exporting('two', { dependsOn: ['source', 'other'] })
    const { offer, tasks } = end(source, slow, two, aTask({ id: 'other' }))
    assert.deepEqual(
      offer.map(({ id }) => id),
      ['slow'],
    )
    assert.equal(tasks.find(({ id }) => id === 'two')?.status, 'created')
  })
})
