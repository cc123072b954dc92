import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { bench } from '../../../test/support/bench.ts'
import { corners, photo } from '../../../test/support/samples.ts'
import type { Ext } from '../../catalog/formats.ts'
import { Failure } from '../../core/errors.ts'
import { pdfLib } from '../pdf-lib.ts'

const { make } = await bench(pdfLib)
const jpg = await photo().jpeg().toBuffer()
const png = await photo().png({ adaptiveFiltering: true }).toBuffer()
const good = await corners().png().toBuffer()

/** Refused in plain words, and the next picture is fine. */
async function refused(ext: Ext, bytes: Uint8Array, words: RegExp, given = {}): Promise<void> {
  await assert.rejects(make('convert', { ext, bytes, filename: `holiday.${ext}` }, 'pdf', given), (error) => {
    assert.ok(error instanceof Failure, String(error))
    assert.equal(error.errorCode, 'processing_failed')
    assert.match(error.message, words)
    assert.doesNotMatch(error.message, /buffer|\/opt|Error:|undefined|NaN/i)
    return true
  })
  await make('convert', { ext: 'png', bytes: good }, 'pdf')
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A PNG that says what it likes of itself. */
function claiming(width: number, height: number, type: number, lines: Buffer, interlaced = 0, depth = 8): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, type, 0, 0, interlaced], 8)
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    start,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The frame's header, whose bytes say how big the picture is and how it is packed. */
const frameOf = (bytes: Buffer): number => bytes.indexOf(Buffer.from([0xff, 0xc0]))

describe('a broken picture', () => {
  for (const [ext, bytes] of [
    ['jpg', jpg],
    ['png', png],
  ] as const) {
    it(`is refused when it is a ${ext} that was cut off`, async () => {
      for (const share of [0.001, 0.02, 0.3, 0.9, 0.999]) {
        await refused(ext, bytes.subarray(0, Math.ceil(bytes.length * share)), /holiday\.\w+ is not a readable/)
      }
    })

    it(`is refused when it is no ${ext} at all`, async () => {
      await refused(ext, Buffer.alloc(0), /holiday\.\w+ is empty/)
      await refused(ext, Buffer.alloc(5000), /is not a readable/)
      await refused(ext, ext === 'jpg' ? png : jpg, /is not a readable/)
      await refused(ext, Buffer.concat([bytes.subarray(0, 20), Buffer.alloc(5000, 0xff)]), /is not a readable/)
    })
  }

  it('is refused when a sum is wrong, or what was packed is', async () => {
    const wrong = Buffer.from(png)
    wrong[png.indexOf('IDAT') + 500]! ^= 1
    await refused('png', wrong, /is not a readable/)
    await refused('png', claiming(10, 10, 2, Buffer.alloc(309)), /is not a readable/)
    await refused('png', claiming(10, 10, 2, Buffer.alloc(310, 9)), /is not a readable/)
    await refused('png', claiming(10, 10, 5, Buffer.alloc(310)), /is not a readable/)
    await refused('png', claiming(10, 10, 3, Buffer.alloc(110)), /is not a readable/)
    await refused('png', claiming(0, 10, 2, Buffer.alloc(10)), /is not a readable/)
  })

  it('passes when only its last mark is missing', async () => {
    await make('convert', { ext: 'png', bytes: png.subarray(0, png.length - 12) }, 'pdf')
  })
})

describe('a picture that is too much', () => {
  it('is refused before it is unpacked', async () => {
    await refused(
      'png',
      claiming(60_000, 60_000, 2, Buffer.alloc(1 << 20)),
      /60000 × 60000 pixels; at most 268 million/,
    )
    await refused('png', claiming(60_000, 60_000, 6, Buffer.alloc(1 << 20), 1), /60000 × 60000 pixels/)
    const big = Buffer.from(jpg)
    big.writeUInt16BE(60_000, frameOf(jpg) + 5)
    big.writeUInt16BE(60_000, frameOf(jpg) + 7)
    await refused('jpg', big, /60000 × 60000 pixels/)
    await refused('png', claiming(16_384, 16_384, 6, Buffer.alloc(1 << 20), 1, 16), /too big/)
  })

  it('is read no further than its last line', async () => {
    const { files } = await make('convert', { ext: 'png', bytes: claiming(10, 10, 6, Buffer.alloc(1 << 24)) }, 'pdf')
    assert.ok(files[0]!.length < 10_000)
  })
})

describe('a picture no PDF can hold', () => {
  it('is refused with a way out', async () => {
    const deep = Buffer.from(jpg)
    deep[frameOf(jpg) + 4] = 12
    await refused('jpg', deep, /a kind of JPEG that a PDF cannot hold/)
    const arithmetic = Buffer.from(jpg)
    arithmetic[frameOf(jpg) + 1] = 0xc9
    await refused('jpg', arithmetic, /cannot hold/)
  })

  it('is refused where the margin takes the whole page', async () => {
    await refused('jpg', jpg, /pdf_margin leaves no room/, { pdf_page_size: '1240.2x1753.95', pdf_margin: 700 })
    await refused('jpg', jpg, /pdf_margin leaves no room/, { pdf_page_size: '1240.2x1753.95', pdf_margin: '50%' })
  })
})

it('strange words about a picture harm nobody', async () => {
  const segment = (marker: number, body: Buffer): Buffer => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(body.length + 2, 2)
    return Buffer.concat([head, body])
  }
  const exif = Buffer.concat([Buffer.from('Exif\0\0II*\0\x08\0\0\0\xff\xff', 'latin1'), Buffer.alloc(40, 0xff)])
  const told = [
    segment(0xe1, exif),
    segment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01acsp')),
    segment(0xe0, Buffer.from('JFIF\0')),
  ]
  for (const words of told) {
    await make('convert', { ext: 'jpg', bytes: Buffer.concat([jpg.subarray(0, 2), words, jpg.subarray(2)]) }, 'pdf')
  }
  const at = 33
  const iccp = chunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(1 << 26))]))
  const physical = chunk('pHYs', Buffer.alloc(9, 0xff))
  const bytes = Buffer.concat([png.subarray(0, at), iccp, physical, chunk('eXIf', Buffer.alloc(3)), png.subarray(at)])
  await make('convert', { ext: 'png', bytes }, 'pdf')
})
