import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import fc from 'fast-check'
import { createBoard } from './board.ts'

/** A terminal that knows what the board uses: up, to the left, erase below, new line. */
function screen() {
  let lines = ['']
  let row = 0
  let wraps = true
  const sequence = /\x1b\[(\d+)A|\x1b\[0J|\x1b\[\?\d+[hl]|\r|\n|[^\x1b\r\n]+/g
  const stream = new Writable({
    write(text, _encoding, done) {
      for (const [token, up] of String(text).matchAll(sequence)) {
        if (up) row -= Number(up)
        else if (token === '\x1b[0J') lines = [...lines.slice(0, row), '']
        else if (token.startsWith('\x1b[?7')) wraps = token.endsWith('h')
        else if (token === '\n') lines[++row] ??= ''
        else if (!token.startsWith('\x1b') && token !== '\r') lines[row] += token
      }
      done()
    },
  })
  return { stream, shown: () => lines.filter((line) => line !== ''), wraps: () => wraps }
}

test('what stays is above, what is under way below, whatever the order', () => {
  const step = fc.oneof(
    fc.record({ draw: fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 4 }) }),
    fc.record({ above: fc.stringMatching(/^[A-Z]{1,8}$/) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const { stream, shown, wraps } = screen()
      const board = createBoard(stream)
      const stays: string[] = []
      for (const each of steps) {
        if ('draw' in each) board.draw(each.draw)
        else {
          stays.push(each.above)
          board.above(stream, `${each.above}\n`)
          const last = steps.slice(0, steps.indexOf(each)).findLast((before) => 'draw' in before)
          assert.deepEqual(shown(), [...stays, ...(last && 'draw' in last ? last.draw : [])])
        }
      }
      board.close()
      assert.deepEqual(shown(), stays)
      assert.ok(wraps())
    }),
  )
})
