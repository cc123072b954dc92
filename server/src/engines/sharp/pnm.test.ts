import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readPnm } from './pnm.ts'

describe('plain pixels', () => {
  it('are read from PGM, PPM and PAM', () => {
    const ppm = readPnm(Buffer.from('P6\n# a remark\n2 1\n255\nabcdef'))
    assert.deepEqual([ppm?.width, ppm?.height, ppm?.channels, ppm?.pixels.length], [2, 1, 3, 6])
    assert.equal(readPnm(Buffer.from('P5 1 1 255\na'))?.channels, 1)
    const pam = 'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabcd'
    assert.equal(readPnm(Buffer.from(pam))?.channels, 4)
  })

  it('of 16 bits are put in the order of the machine', () => {
    const found = readPnm(Buffer.concat([Buffer.from('P5\n2 1\n65535\n'), Buffer.from([1, 2, 3, 4])]))
    assert.deepEqual([found?.deep, [...(found?.pixels ?? [])]], [true, [0x0102, 0x0304]])
  })

  it('are nothing when there are fewer than the header says, or it makes no sense', () => {
    for (const text of [
      'P6\n2 2\n255\nabc',
      'P6\n0 0\n255\n',
      'P3\n1 1\n255\n1 2 3',
      'P6\n1 1\n7\nabc',
      'P7\nENDHDR\n',
    ])
      assert.equal(readPnm(Buffer.from(text)), null)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (rubbish) => {
        readPnm(Buffer.concat([Buffer.from('P6\n'), rubbish]))
      }),
    )
  })
})
