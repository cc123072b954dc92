import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Option, option, options } from './option.ts'
import { readValue, show } from './read.ts'
import { resolve } from './resolve.ts'

const set = options({
  strip: option.boolean({ hint: 'Strip', default: true }),
  quality: option.integer({ hint: 'Quality', min: 1, max: 100 }),
  page: option.choice({ same: 'Same', a4: 'A4', a3: 'A3' }, { hint: 'Page' }),
  enlarge: option.boolean({ hint: 'Enlarge', default: true, needs: { page: ['a4', 'a3'] } }),
  mode: option.choice({ keep: 'Keep', dimension: 'Dimension' }, { hint: 'Mode' }),
  codec: option.choice({ auto: 'Automatic', copy: 'Copy' }, { hint: 'Codec', default: 'auto' }),
  width: option.integer({ hint: 'Width', min: 1, agrees: { mode: ['dimension'] } }),
  rate: option.integer({ hint: 'Only when encoding', needs: { codec: ['auto'] } }),
  deep: option.integer({ hint: 'Only when enlarged', needs: { enlarge: [true] } }),
})

const read = (declared: Option, given: unknown): unknown => {
  const reading = readValue(declared, given)
  return 'wrong' in reading ? reading.wrong : reading.value
}

describe('reading a value', () => {
  const cases: [string, Option, unknown, unknown][] = [
    ['a number', option.integer({ hint: '' }), 80, 80],
    ['a number as text', option.integer({ hint: '' }), ' 80 ', 80],
    ['a fraction', option.number({ hint: '' }), '0.5', 0.5],
    ['a fraction for a whole number', option.integer({ hint: '' }), '0.5', 'must be a whole number.'],
    ['infinity', option.number({ hint: '' }), 'Infinity', 'must be a number.'],
    ['a number beyond all numbers', option.number({ hint: '' }), '1e999', 'must be a number.'],
    ['not a number', option.number({ hint: '' }), Number.NaN, 'must be a number.'],
    ['hexadecimal', option.integer({ hint: '' }), '0x10', 'must be a whole number.'],
    ['too much', option.integer({ hint: '', min: 1, max: 100 }), 101, 'must be a whole number from 1 to 100.'],
    ['too little', option.number({ hint: '', min: 1 }), 0, 'must be a number of at least 1.'],
    ['a list', option.integer({ hint: '' }), [80], 'must be a single value.'],
    ['an object', option.string({ hint: '' }), {}, 'must be a single value.'],
    ['true', option.boolean({ hint: '' }), 'TRUE', true],
    ['one for true', option.boolean({ hint: '' }), 1, true],
    ['no', option.boolean({ hint: '' }), 'no', false],
    ['zero for false', option.boolean({ hint: '' }), '0', false],
    ['a word for a boolean', option.boolean({ hint: '' }), 'maybe', 'must be true or false.'],
    ['a choice', option.choice({ '12': 'Twelve', b: 'B' }, { hint: '' }), 12, '12'],
    ['a choice in another case', option.choice({ Center: 'C', Top: 'T' }, { hint: '' }), 'center', 'Center'],
    ['no choice', option.choice({ a: 'A', b: 'B' }, { hint: '' }), 'c', 'must be one of a, b.'],
    ['what every object has', option.choice({ a: 'A' }, { hint: '' }), 'constructor', 'must be one of a.'],
    ['a colour', option.color({ hint: '' }), '#FfCc00', '#ffcc00'],
    ['a short colour', option.color({ hint: '' }), 'fc0', '#ffcc00'],
    ['a clear colour', option.color({ hint: '', alpha: true }), 'transparent', '#00000000'],
    ['a clear colour where none may be', option.color({ hint: '' }), '#ffcc0080', 'must be a colour like #RRGGBB.'],
    ['a time', option.time({ hint: '' }), '01:02:03.5', 3723.5],
    ['minutes', option.time({ hint: '' }), '2:03', 123],
    ['seconds', option.time({ hint: '' }), 90.25, 90.25],
    ['a time of 61 seconds', option.time({ hint: '' }), '00:61', 'must be a time (00:01:30.5 or seconds).'],
    ['a size', option.size({ hint: '', unit: 'MB' }), '1.5', 1_500_000],
    ['a size with a unit', option.size({ hint: '', unit: 'MB' }), '500 kb', 500_000],
    ['a binary size', option.size({ hint: '', unit: 'MB' }), '1MiB', 1_048_576],
    ['pixels', option.length({ hint: '' }), '12px', { amount: 12, unit: 'px' }],
    ['a share', option.length({ hint: '' }), '50 %', { amount: 50, unit: '%' }],
    [
      'a share of more than all',
      option.length({ hint: '', min: 0 }),
      '150%',
      'must be pixels of at least 0, or a percentage like 50%.',
    ],
    ['text', option.string({ hint: '' }), ' as it is ', ' as it is '],
    ['a NUL', option.string({ hint: '' }), 'a\0b', 'must not contain control characters.'],
    ['a line break', option.string({ hint: '' }), 'a\nb', 'must not contain control characters.'],
    ['a welcome line break', option.string({ hint: '', multiline: true }), 'a\nb', 'a\nb'],
    ['long text', option.string({ hint: '', maxLength: 3 }), 'abcd', 'must be at most 3 characters.'],
    ['text that fits', option.string({ hint: '', pattern: /\d+(-\d+)?/, expects: 'pages like 1-3' }), '1-3', '1-3'],
    [
      'text that only begins well',
      option.string({ hint: '', pattern: /\d+/, expects: 'digits' }),
      '1;rm',
      'must be digits.',
    ],
  ]
  for (const [what, declared, given, wanted] of cases) {
    it(`answers to ${what}`, () => assert.deepEqual(read(declared, given), wanted))
  }

  it('reads again what it shows', () => {
    const time = option.time({ hint: '' })
    fc.assert(fc.property(fc.nat(400_000_000), (ms) => assert.equal(read(time, show(time, ms / 1000)), ms / 1000)))
    const size = option.size({ hint: '', unit: 'KB' })
    fc.assert(fc.property(fc.nat(), (bytes) => assert.equal(read(size, show(size, bytes)), bytes)))
  })
})

describe('resolve', () => {
  it('fills in defaults and shows what was used', () => {
    const { values, applied, ignored, issues } = resolve(set, { quality: '80' })
    assert.equal(values.quality, 80)
    assert.equal(values.strip, true)
    assert.equal(values.page, undefined)
    assert.deepEqual(applied, { strip: true, quality: 80, codec: 'auto' })
    assert.deepEqual([ignored, issues], [[], []])
  })

  it('takes null and empty text as not given', () => {
    assert.deepEqual(resolve(set, { quality: null, page: '', width: undefined, strip: ' ' }).issues, [])
  })

  it('reports everything that is wrong at once, by name', () => {
    const { issues } = resolve(set, { quality: 0, qualty: 5, page: 'a5' })
    assert.deepEqual(
      issues.map((i) => i.path),
      ['quality', 'qualty', 'page'],
    )
    assert.match(issues[0]?.message ?? '', /from 1 to 100/)
    assert.match(issues[1]?.message ?? '', /Did you mean quality\? Valid options: strip, quality/)
    assert.match(issues[2]?.message ?? '', /same, a4, a3/)
  })

  it('ignores an option whose required condition is not met, and says why', () => {
    for (const given of [{ enlarge: false }, { enlarge: false, page: 'same' }]) {
      const { ignored, issues, applied } = resolve(set, given)
      assert.deepEqual(
        ignored.map((i) => i.name),
        ['enlarge'],
      )
      assert.match(ignored[0]?.reason ?? '', /only when page is a4 or a3/)
      assert.deepEqual(issues, [])
      assert.equal('enlarge' in applied, false)
    }
    assert.equal(resolve(set, { enlarge: false, page: 'a4' }).applied.enlarge, false)
  })

  it('applies a default only when its condition is met', () => {
    assert.equal('enlarge' in resolve(set, {}).applied, false)
    assert.equal(resolve(set, { page: 'a3' }).applied.enlarge, true)
  })

  it('lets a default meet a required condition', () => {
    assert.deepEqual(resolve(set, { rate: 1 }).ignored, [])
    assert.equal(resolve(set, { rate: 1, codec: 'copy' }).ignored.length, 1)
  })

  it('does not let an option without effect meet a condition', () => {
    assert.deepEqual(
      resolve(set, { deep: 1 }).ignored.map((i) => i.name),
      ['deep'],
    )
    assert.deepEqual(resolve(set, { deep: 1, page: 'a4' }).ignored, [])
    assert.deepEqual(
      resolve(set, { deep: 1, page: 'a4', enlarge: 'false' }).ignored.map((i) => i.name),
      ['deep'],
    )
  })

  it('takes an option with an optional condition alone, and refuses it against the condition', () => {
    assert.deepEqual(resolve(set, { width: 10 }).issues, [])
    assert.deepEqual(resolve(set, { width: 10, mode: 'dimension' }).issues, [])
    const { issues } = resolve(set, { width: 10, mode: 'keep' })
    assert.deepEqual(issues, [{ path: 'width', message: 'width cannot be used here: mode must then be dimension.' }])
  })

  it('ignores what only other inputs would use', () => {
    const { ignored, issues } = resolve(set, { margin: 4 }, options({ margin: option.integer({ hint: '' }) }))
    assert.deepEqual([ignored.map((i) => i.name), issues], [['margin'], []])
  })

  it('is not fooled by names every object has', () => {
    const given = JSON.parse('{"__proto__": {"quality": 3}, "constructor": 1, "toString": 2}')
    const { issues, values } = resolve(set, given)
    assert.equal(issues.length, 3)
    assert.equal(values.quality, undefined)
  })

  it('takes anything without throwing, and gives only declared values', () => {
    const names = Object.keys(set)
    const given = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), fc.anything())
    fc.assert(
      fc.property(given, (some) => {
        const { values, applied } = resolve(set, some)
        assert.deepEqual(Object.keys(values), names)
        assert.ok(values.quality === undefined || (values.quality >= 1 && values.quality <= 100))
        assert.deepEqual(resolve(set, applied).issues, [])
        assert.deepEqual(resolve(set, applied).applied, applied)
      }),
    )
  })
})
