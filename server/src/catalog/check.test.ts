import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkEngines } from './check.ts'
import type { Capability, Engine } from './engine.ts'
import type { Ext } from './formats.ts'
import { type OptionSet, option, options } from './option.ts'

const block = (over: Partial<Capability> = {}): Capability => ({
  does: 'convert',
  from: ['jpg'],
  to: ['png'],
  cost: 1,
  options: {},
  run: async () => [],
  ...over,
})
const engine = (over: Partial<Engine> = {}): Engine => ({ id: 'a', title: 'A', tools: [], can: [block()], ...over })
const mistakes = (over: Partial<Capability>): string[] => checkEngines([engine({ can: [block(over)] })])
const inSet = (set: OptionSet): string[] => mistakes({ options: set })

/** As if it came from a file that was never type-checked. */
const stray = (name: string): Ext => JSON.parse(JSON.stringify(name))

describe('checkEngines', () => {
  it('finds nothing wrong with good declarations', () => {
    const set = options({
      mode: option.choice({ keep: 'Keep', size: 'Size' }, { hint: '' }),
      width: option.integer({ hint: '', default: 10, min: 1, max: 20, needs: { mode: ['size'] } }),
      'auto-orient': option.boolean({ hint: '', default: true }),
      title: option.string({ hint: '', default: '' }),
      start: option.time({ hint: '', default: 1.5 }),
      limit: option.size({ hint: '', unit: 'MB', default: 5_000_000, min: 1000 }),
      left: option.length({ hint: '', default: { amount: 50, unit: '%' } }),
    })
    const can = [block({ options: set }), block({ does: 'crop', from: ['jpg', 'png'], to: 'same' })]
    assert.deepEqual(checkEngines([engine({ can }), engine({ id: 'b' })]), [])
  })

  const cases: [string, string[], RegExp][] = [
    ['two engines of one id', checkEngines([engine(), engine()]), /two engines have this id/],
    [
      'inputs joined by what is neither on nor off',
      inSet({ mode: option.choice({ a: 'A' }, { hint: '', joins: ['mp3'] }) }),
      /joins inputs, but is neither on nor off/,
    ],
    ['an unknown format', mistakes({ to: [stray('jpeg')] }), /names jpeg/],
    ['no input', mistakes({ from: [] }), /takes no format/],
    ['no output', mistakes({ to: [] }), /makes no format/],
    ['a cost out of range', mistakes({ cost: 10 }), /costs 10/],
    ['a cost that is no number', mistakes({ cost: Number.NaN }), /costs NaN/],
    [
      'one pair twice',
      checkEngines([engine({ can: [block(), block({ from: ['jpg', 'gif'] })] })]),
      /can convert jpg → png twice/,
    ],
    ['a format twice', mistakes({ from: ['jpg', 'jpg'] }), /takes jpg twice/],
    ['a bad option name', inSet({ '2nd': option.boolean({ hint: '' }) }), /2nd is not named/],
    ['a condition on nothing', inSet({ a: option.boolean({ hint: '', needs: { b: [1] } }) }), /b, which is no option/],
    ['a circle', inSet({ a: option.boolean({ hint: '', needs: { a: [true] } }) }), /needs itself/],
    [
      'a default out of range',
      inSet({ a: option.integer({ hint: '', default: 5, max: 4 }) }),
      /default must be .* at most 4/,
    ],
    ['bounds in disorder', inSet({ a: option.integer({ hint: '', min: 5, max: 4 }) }), /min over max/],
    ['no choices', inSet({ a: option.choice({}, { hint: '' }) }), /has no choices/],
    [
      'a default that is no choice',
      inSet({ a: { kind: 'choice', hint: '', choices: { b: 'B' }, default: 'c' } }),
      /default must be one of b/,
    ],
    [
      'a condition on a value that cannot be',
      inSet({ m: option.choice({ x: 'X' }, { hint: '' }), a: option.boolean({ hint: '', needs: { m: ['y'] } }) }),
      /m to be y, but m must be one of x/,
    ],
    [
      'a default that contradicts an optional condition',
      inSet({
        m: option.choice({ x: 'X', y: 'Y' }, { hint: '', default: 'x' }),
        a: option.boolean({ hint: '', agrees: { m: ['y'] } }),
      }),
      /but the default of m is x/,
    ],
  ]
  for (const [what, found, wanted] of cases) {
    it(`finds ${what}`, () => {
      assert.equal(found.length, 1, found.join('\n'))
      assert.match(found[0] ?? '', wanted)
    })
  }
})
