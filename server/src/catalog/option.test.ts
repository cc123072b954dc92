import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Length, option, options, type Values } from './option.ts'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <T extends true>(yes?: T) => yes

const size = option.choice({ a4: 'A4', a3: 'A3' }, { hint: 'Page size' })
const enlarge = option.boolean({ hint: 'Enlarge', default: true, needs: { size: ['a4', 'a3'] } })

describe('options', () => {
  it('keeps what was declared as data', () => {
    const set = options({ size, enlarge })
    assert.equal(set.enlarge.kind, 'boolean')
    assert.equal(set.enlarge.default, true)
    assert.deepEqual(set.enlarge.needs, { size: ['a4', 'a3'] })
    assert.deepEqual(set.size.choices, { a4: 'A4', a3: 'A3' })
  })

  it('does not compile when a condition names no member', () => {
    // @ts-expect-error `size` is not in the set
    const needs = options({ enlarge })
    // @ts-expect-error `nothing` is not in the set
    const agrees = options({ size, odd: option.integer({ hint: '', agrees: { nothing: [1] } }) })
    assert.ok(needs && agrees)
  })

  it('does not compile when a default is not one of the choices or of another type', () => {
    // @ts-expect-error not a choice
    const wrong = option.choice({ a: 'A' }, { hint: '', default: 'b' })
    // @ts-expect-error not a number
    const text = option.integer({ hint: '', default: '5' })
    assert.ok(wrong && text)
  })

  it('types the values: defaults are never undefined, a choice is the union of its values', () => {
    const set = options({
      size,
      enlarge,
      unit: option.choice({ px: 'Pixels', pt: 'Points' }, { hint: '', default: 'px' }),
      quality: option.integer({ hint: '', min: 1, max: 100 }),
      title: option.string({ hint: '', default: '' }),
      from: option.time({ hint: '' }),
      left: option.length({ hint: '' }),
    })
    holds<
      Same<
        Values<typeof set>,
        {
          readonly size: 'a4' | 'a3' | undefined
          readonly enlarge: boolean
          readonly unit: 'px' | 'pt'
          readonly quality: number | undefined
          readonly title: string
          readonly from: number | undefined
          readonly left: Length | undefined
        }
      >
    >()
    assert.equal(Object.keys(set).length, 7)
  })
})
