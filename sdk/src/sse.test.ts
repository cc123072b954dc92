import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSseParser } from './sse.ts'

const all = (...pieces: string[]) => {
  const parser = createSseParser()
  return pieces.flatMap((piece) => parser.push(piece))
}

test('reads what the standard describes', () => {
  const cases: [string, string, ReturnType<typeof all>][] = [
    ['a whole event', 'id: 7\nevent: task_started\ndata: {}\n\n', [{ id: '7', event: 'task_started', data: '{}' }]],
    ['several data lines', 'data: a\ndata: b\n\n', [{ id: '', event: 'message', data: 'a\nb' }]],
    ['comments and retry', ': still here\nretry: 2000\n\n', []],
    ['no space after the colon, or two', 'data:a\ndata:  b\n\n', [{ id: '', event: 'message', data: 'a\n b' }]],
    ['a field without a colon', 'data\n\n', [{ id: '', event: 'message', data: '' }]],
    ['an event without data', 'event: x\n\ndata: y\n\n', [{ id: '', event: 'message', data: 'y' }]],
    ['a byte order mark', '\uFEFFdata: a\n\n', [{ id: '', event: 'message', data: 'a' }]],
    ['an event cut off', 'data: a\n', []],
    [
      'an id that stays',
      'id: 1\ndata: a\n\ndata: b\n\n',
      [
        { id: '1', event: 'message', data: 'a' },
        { id: '1', event: 'message', data: 'b' },
      ],
    ],
    [
      'an id with a NUL, which does not count',
      'id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n',
      [
        { id: '1', event: 'message', data: 'a' },
        { id: '1', event: 'message', data: 'b' },
      ],
    ],
  ]
  for (const [what, text, expected] of cases) assert.deepEqual(all(text), expected, what)
})

const line = fc.oneof(
  fc.constantFrom('data: x', 'data', 'id: 3', 'event: e', ': note', '', '', 'retry: 5', 'odd: y'),
  fc.string({ unit: fc.constantFrom('a', ' ', ':', 'ä', '0') }),
)
const ending = fc.constantFrom('\n', '\r', '\r\n')

test('where the pieces are cut makes no difference', () => {
  const text = fc.array(fc.tuple(line, ending), { maxLength: 30 }).map((lines) => lines.flat().join(''))
  fc.assert(
    fc.property(text, fc.array(fc.nat(400), { maxLength: 12 }), (whole, cuts) => {
      const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length]
      const pieces = at.slice(1).map((end, index) => whole.slice(at[index], end))
      assert.deepEqual(all(...pieces), all(whole))
    }),
  )
})

test('every way of ending a line means the same', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const [lf, cr, crlf] = ['\n', '\r', '\r\n'].map((end) => all(lines.map((each) => each + end).join('')))
      assert.deepEqual(cr, lf)
      assert.deepEqual(crlf, lf)
    }),
  )
})
