import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { tempDir } from '../../../test/support/temp-dir.ts'
import { readHeif } from './boxes.ts'

const { path: dir, remove } = await tempDir()
after(remove)

const numbers = (...all: number[]): Buffer => Buffer.from(Uint32Array.from(all).buffer).swap32()
const box = (kind: string, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([numbers(content.length + 8), Buffer.from(kind, 'latin1'), content])
}
const text = (words: string): Buffer => Buffer.from(words, 'latin1')
const VERSION = numbers(0)
const size = (width: number, height: number): Buffer => box('ispe', VERSION, numbers(width, height))
const file = (...properties: Buffer[]): Buffer =>
  Buffer.concat([
    box('ftyp', text('heic'), numbers(0), text('mif1')),
    box('meta', VERSION, box('pitm', numbers(0, 1)), box('iprp', box('ipco', ...properties))),
    box('mdat', Buffer.alloc(32)),
  ])

async function read(bytes: Buffer) {
  const path = join(dir, 'a.heic')
  await writeFile(path, bytes)
  return readHeif(path)
}

describe('the boxes of a HEIC', () => {
  it('tell the biggest picture', async () => {
    const bytes = file(size(64, 64), size(300, 40), size(1, 2))
    assert.deepEqual(await read(bytes), { pixels: 12_000, alpha: false, profile: false, likeJpeg: false })
    assert.equal((await read(file(size(0xffff_ffff, 0xffff_ffff)))).pixels, 0xffff_ffff ** 2)
  })

  it('tell of transparency and profiles', async () => {
    const alpha = box('auxC', VERSION, text('urn:mpeg:hevc:2015:auxid:1\0'))
    const depth = box('auxC', VERSION, text('urn:mpeg:hevc:2015:auxid:2\0'))
    assert.deepEqual([(await read(file(alpha))).alpha, (await read(file(depth))).alpha], [true, false])
    const profile = box('colr', text('prof'), Buffer.alloc(20))
    const numbered = box('colr', text('nclx'), Buffer.alloc(7))
    assert.deepEqual([(await read(file(profile))).profile, (await read(file(numbered))).profile], [true, false])
  })

  it('tell whether all is coded as in a JPEG', async () => {
    const coded = (chroma: number, light: number, colour: number): Buffer =>
      box('hvcC', Buffer.alloc(16), Buffer.from([0xfc | chroma, 0xf8 | light, 0xf8 | colour, 0, 0]))
    const like = async (...codings: Buffer[]) => (await read(file(...codings))).likeJpeg
    assert.deepEqual(
      [await like(), await like(coded(1, 0, 0)), await like(coded(1, 0, 0), coded(1, 0, 0))],
      [false, true, true],
    )
    for (const other of [coded(0, 0, 0), coded(2, 0, 0), coded(3, 0, 0), coded(1, 2, 0), coded(1, 0, 2), box('hvcC')])
      assert.deepEqual([await like(other), await like(coded(1, 0, 0), other)], [false, false])
  })

  it('are found behind a long box', async () => {
    const long = Buffer.concat([numbers(1), text('free'), numbers(0, 24), Buffer.alloc(8)])
    assert.equal((await read(Buffer.concat([long, file(size(3, 4))]))).pixels, 12)
  })

  it('end where a length makes no sense, or reaches to the end of the file', async () => {
    const rest = text('xxxxxxxxxxxxxxxx')
    const odd = [numbers(0), numbers(7), numbers(0xffff_ffff)].map((length) =>
      Buffer.concat([length, text('free'), rest]),
    )
    const long = Buffer.concat([numbers(1), text('meta'), numbers(0, 9), rest])
    const far = Buffer.concat([numbers(1), text('free'), numbers(0xffff_ffff, 0xffff_ffff), rest])
    for (const bytes of [...odd, long, far, Buffer.alloc(0)]) assert.equal((await read(bytes)).pixels, 0)
    const last = file(size(3, 4)).subarray(0, -40)
    last.writeUInt32BE(0, 20)
    assert.equal((await read(last)).pixels, 12)
  })

  it('do no harm, whatever the bytes are', async () => {
    const bytes = file(size(64, 64), box('colr', text('prof')), box('auxC', VERSION))
    const places = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(places, fc.nat(bytes.length), async (changes, length) => {
        const broken = Buffer.from(bytes)
        for (const [at, byte] of changes) broken[at] = byte
        assert.equal(typeof (await read(broken.subarray(0, length))).pixels, 'number')
      }),
    )
  })
})
