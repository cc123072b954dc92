import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { read } from './shape.ts'

const schema = Type.Object({
  url: Type.String({ minLength: 1 }),
  pages: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
  archive: Type.Optional(Type.Boolean()),
  kind: Type.Optional(Type.Enum(['a', 'b'])),
  input: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
})

describe('reading what a caller sent', () => {
  test('takes numbers and booleans as strings', () => {
    const { value, issues } = read(schema, { url: 'x', pages: '3', archive: 'false' })
    assert.deepEqual(issues, [])
    assert.deepEqual(value, { url: 'x', pages: 3, archive: false })
  })

  test('reports every problem at once, each with its path and what would be right', () => {
    const { issues } = read(schema, { pages: 10, archive: 'maybe', kind: 'c', input: 5 }, 'tasks.a')
    assert.deepEqual(issues, [
      { path: 'tasks.a.url', message: 'is required and must be a string that is not empty.' },
      { path: 'tasks.a.pages', message: 'must be a whole number from 1 to 9.' },
      { path: 'tasks.a.archive', message: 'must be true or false.' },
      { path: 'tasks.a.kind', message: 'must be one of a, b.' },
      { path: 'tasks.a.input', message: 'must be a string or a list of strings.' },
    ])
  })

  test('names unknown fields and keeps none of them', () => {
    const { value, unknown } = read(schema, { url: 'x', colour: 'red' })
    assert.deepEqual(unknown, ['colour'])
    assert.deepEqual(value, { url: 'x' })
  })

  for (const given of [null, [], 'text', 5]) {
    test(`${JSON.stringify(given)} is not an object`, () => {
      assert.deepEqual(read(schema, given).issues, [{ path: '', message: 'must be a JSON object.' }])
    })
  }

  test('inherited names are not fields', () => {
    assert.deepEqual(read(Type.Object({ toString: Type.Optional(Type.String()) }), {}).issues, [])
  })
})
