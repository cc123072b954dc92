import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Aim, firstRate, isMet, land, nextRate } from './compress-landing.ts'

const aim = (bytes: number, seconds = 10, fixed = 0): Aim => ({ bytes, seconds, fixed, least: 1000, most: 1e9 })

describe('reaching a size by the rate', () => {
  it('meets it within three percent below, however far the encoder is off', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 20_000, max: 5_000_000 }),
        fc.double({ min: 0.3, max: 3, noNaN: true }),
        fc.double({ min: 0.9, max: 1.1, noNaN: true }),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        async (bytes, off, bend, head) => {
          const made = (rate: number) => Math.round(bytes * head + off * (rate / 8) ** bend * 10)
          const landed = await land(aim(bytes), async (rate) => made(rate))
          assert.ok(landed.end === 'met' ? isMet({ bytes }, landed.best.bytes) : made(1000) > bytes)
        },
      ),
    ))

  it('tells the least where even that is too big', async () => {
    const landed = await land(aim(10_000), async (rate) => 12_000 + rate / 1e6)
    assert.equal(landed.end, 'missed')
    assert.ok(landed.end === 'missed' && landed.least.bytes >= 12_000 && landed.least.bytes < 12_100)
  })

  it('takes the best there is where the encoder can use no more', async () => {
    const landed = await land(aim(1_000_000), async (rate) => Math.min(rate, 500_000))
    assert.deepEqual(landed.end, 'short')
  })

  it('gives up in the end where the encoder jumps over the size', async () => {
    let tries = 0
    const landed = await land(aim(100_000), async (rate) => {
      tries += 1
      return rate > 70_000 ? 120_000 : 80_000
    })
    assert.ok(tries <= 14)
    assert.ok(landed.end === 'jumped' && landed.best.bytes === 80_000)
  })

  it('begins with what is left over the time, and goes on in proportion', () => {
    assert.equal(firstRate(aim(1_000_000, 8, 85_000)), 900_000)
    assert.equal(nextRate(aim(1_000_000, 8), null, { rate: 1e6, bytes: 1_970_000 }), 500_000)
  })
})
