import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { add, bodyOf, change, connect, type Draft, disconnect, draftOf, EMPTY, mayConnect, remove } from './draft.ts'

const JOB = {
  tag: 'a tag',
  tasks: {
    one: { operation: 'import/upload' },
    two: { operation: 'import/url', url: 'https://example.org/a.png' },
    both: { operation: 'merge', input: ['one', 'two'], output_format: 'pdf', options: { merge_bookmarks: false } },
    out: { operation: 'export/url', input: 'both' },
  },
}

const made = (tasks: object): Draft => {
  const draft = draftOf({ tasks })
  assert.ok(draft)
  return draft
}
const idOf = ({ steps }: Draft, name: string): string => steps.find((step) => step.name === name)?.id ?? ''

test('a job becomes a draft and the same job again', () => {
  const draft = draftOf(JOB)
  assert.ok(draft)
  assert.deepEqual(bodyOf(draft), JOB)
})

test('what is no job is none', () => {
  for (const value of [null, 1, [], {}, { tasks: [] }, { tasks: 1 }]) assert.equal(draftOf(value), null)
})

test('a new step takes from the chosen one, from the only loose end, or, to merge, from all of them', () => {
  const one = add(EMPTY, 'import/upload')
  const two = add(one.draft, 'import/upload')
  const converted = add(two.draft, 'convert', one.id)
  const merged = add(two.draft, 'merge')
  const exported = add(merged.draft, 'export/url')
  assert.deepEqual(Object.keys(bodyOf(two.draft).tasks), ['import', 'import-2'])
  assert.equal(bodyOf(converted.draft).tasks.convert?.input, 'import')
  assert.deepEqual(bodyOf(merged.draft).tasks.merge?.input, ['import', 'import-2'])
  assert.equal(bodyOf(exported.draft).tasks.export?.input, 'merge')
})

test('nothing is connected in a circle, twice, into an import or out of an export', () => {
  const draft = made(JOB.tasks)
  const may = (from: string, to: string) => mayConnect(draft, idOf(draft, from), idOf(draft, to))
  assert.deepEqual(
    [may('both', 'both'), may('one', 'both'), may('both', 'one'), may('out', 'both')],
    Array(4).fill(false),
  )
  assert.equal(may('one', 'out'), true)
})

test('a step that is removed or renamed is not missed by the others', () => {
  const draft = made(JOB.tasks)
  const renamed = change(draft, idOf(draft, 'one'), { name: 'first' })
  assert.deepEqual(bodyOf(renamed).tasks.both?.input, ['first', 'two'])
  assert.equal(bodyOf(remove(draft, idOf(draft, 'one'))).tasks.both?.input, 'two')
})

test('ids of earlier tasks stay as they are, and empty fields are not sent', () => {
  const id = '0123456789abcdef01234567'
  const draft = made({ out: { operation: 'convert', input: id, output_format: 'pdf', filename: '', options: {} } })
  assert.deepEqual(bodyOf(draft).tasks, { out: { operation: 'convert', input: id, output_format: 'pdf' } })
})

test('whatever is connected and cut, there is never a circle', () => {
  const names = ['a', 'b', 'c', 'd']
  const pairs = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names), fc.boolean()), {
    maxLength: 30,
  })
  fc.assert(
    fc.property(pairs, (steps) => {
      const start = made(Object.fromEntries(names.map((name) => [name, { operation: 'compress' }])))
      const end = steps.reduce(
        (draft, [from, to, cut]) => (cut ? disconnect : connect)(draft, idOf(start, from), idOf(start, to)),
        start,
      )
      const reach = (id: string, seen: readonly string[]): void => {
        assert.ok(!seen.includes(id))
        for (const input of end.steps.find((step) => step.id === id)?.inputs ?? []) reach(input, [...seen, id])
      }
      for (const { id } of end.steps) reach(id, [])
    }),
  )
})
