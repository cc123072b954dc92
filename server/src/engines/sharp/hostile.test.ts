import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import sharpLibrary from 'sharp'
import { bench } from '../../../test/support/bench.ts'
import { corners, photo } from '../../../test/support/samples.ts'
import type { Ext } from '../../catalog/formats.ts'
import { Failure } from '../../core/errors.ts'
import { sharp } from '../sharp.ts'

const { make } = await bench(sharp)
const good = await corners().png().toBuffer()

/** Refused in plain words, and the next picture is fine. */
async function refused(ext: Ext, bytes: Uint8Array, words: RegExp, to: Ext = 'png'): Promise<void> {
  await assert.rejects(make('convert', { ext, bytes, filename: `holiday.${ext}` }, to), (error) => {
    assert.ok(error instanceof Failure, String(error))
    assert.equal(error.errorCode, 'processing_failed')
    assert.match(error.message, words)
    assert.doesNotMatch(error.message, /vips|buffer|\/opt|Error:/i)
    return true
  })
  await make('convert', { ext: 'png', bytes: good }, 'jpg')
}

function pngClaiming(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const pixels = deflateSync(Buffer.alloc(1 << 20))
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

const svg = (inside: string, head = '', size = 'width="60" height="60"'): Buffer =>
  Buffer.from(
    `${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${inside}</svg>`,
  )

describe('a broken picture', () => {
  const encoders = {
    jpg: photo().jpeg(),
    png: photo().png(),
    webp: photo().webp(),
    gif: photo().gif({ effort: 1 }),
    tiff: photo().tiff(),
    avif: photo().avif({ effort: 0 }),
  } as const

  for (const [ext, encoder] of Object.entries(encoders) as [keyof typeof encoders, (typeof encoders)['jpg']][]) {
    it(`is refused in words: ${ext}`, async () => {
      const bytes = await encoder.toBuffer()
      const words = new RegExp(`The file holiday\\.${ext} is not a readable`)
      await refused(ext, Buffer.alloc(0), words)
      await refused(ext, bytes.subarray(0, Math.floor(bytes.length / 2)), words)
      await refused(ext, Buffer.from('hello, this is no picture at all'), words)
      await refused(ext, ext === 'png' ? await encoders.jpg.toBuffer() : good, words)
    })
  }

  it('is refused in words: svg', async () => {
    await refused('svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect'), /SVG/)
    await refused('svg', Buffer.from('<?xml version="1.0"?><html/>'), /SVG/)
  })
})

describe('a bomb', () => {
  it('of pixels is refused by its header, naming its size', async () => {
    await refused('png', pngClaiming(60_000, 60_000), /60000 × 60000 pixels; at most 268 million/)
    await refused('svg', svg('<rect/>', '', 'width="60000" height="60000"'), /60000 × 60000 pixels/)
    await assert.rejects(
      make('convert', { ext: 'png', bytes: good }, 'png', {
        image_custom_width: 60_000,
        image_custom_height: 60_000,
        image_resize_fit: 'stretch',
      }),
      /60000 × 60000 pixels; at most 268 million/,
    )
  })

  it('of frames is refused by their number', async () => {
    const width = 4000
    const head = Buffer.from([
      ...Buffer.from('GIF89a'),
      width & 255,
      width >> 8,
      width & 255,
      width >> 8,
      0x80,
      0,
      0,
      0,
      0,
      0,
      255,
      255,
      255,
    ])
    const frame = Buffer.from([0x2c, 0, 0, 0, 0, width & 255, width >> 8, width & 255, width >> 8, 0, 2, 1, 0x44, 0])
    const bytes = Buffer.concat([head, ...Array.from({ length: 500 }, () => frame), Buffer.from([0x3b])])
    await refused('gif', bytes, /frames of 4000 × 4000 pixels/, 'webp')
  })

  it('of laughs is refused', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']
    const entities = names.map((name, i) => `<!ENTITY ${name} "${i ? `&${names[i - 1]};`.repeat(10) : 'ha'}">`)
    await refused('svg', svg('<text>&j;</text>', `<!DOCTYPE svg [${entities.join('')}]>`), /SVG/)
  })

  it('of packed emptiness is refused', async () => {
    await refused('svgz', gzipSync(Buffer.concat([svg('<rect/>'), Buffer.alloc(100 * 2 ** 20, ' ')])), /SVG/)
  })
})

describe('a drawing that looks around', async () => {
  const CANARY = '#fe01dc'
  const dir = await mkdtemp(join(tmpdir(), 'reforge-canary-'))
  const secret = join(dir, 'secret.png')
  await writeFile(
    secret,
    await sharpLibrary({ create: { width: 60, height: 60, channels: 3, background: CANARY } })
      .png()
      .toBuffer(),
  )
  await writeFile(join(dir, 'secret.txt'), 'canary')
  let hits = 0
  const server = createServer((_, response) => {
    hits += 1
    response.end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  assert.ok(address && typeof address === 'object')
  const url = `http://127.0.0.1:${address.port}/canary.png`
  after(async () => {
    server.close()
    await rm(dir, { recursive: true, force: true })
  })

  const image = (href: string): string => `<image width="60" height="60" xlink:href="${href}" href="${href}"/>`
  const drawings: Record<string, Buffer> = {
    'a file by URL': svg(image(`file://${secret}`)),
    'a file by path': svg(image(secret)),
    'an address': svg(image(url)),
    'a style sheet': svg(
      `<style>@import url("${url}"); rect { fill: url("${url}#a") }</style><rect width="9" height="9"/>`,
    ),
    'another drawing': svg(`<use xlink:href="file://${secret}#a"/><use href="${url}#a"/>`),
    'an entity': svg('<text>&e;</text>', `<!DOCTYPE svg [<!ENTITY e SYSTEM "file://${join(dir, 'secret.txt')}">]>`),
    'an outer definition': svg('<rect/>', `<!DOCTYPE svg SYSTEM "${url}">`),
    'an included text': svg(
      `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>`,
    ),
  }

  for (const [what, bytes] of Object.entries(drawings)) {
    it(`sees nothing: ${what}`, async () => {
      const made = await make('convert', { ext: 'svg', bytes }, 'png').catch((error) =>
        assert.ok(error instanceof Failure),
      )
      for (const file of made?.files ?? []) {
        const pixels = await sharpLibrary(file).removeAlpha().raw().toBuffer()
        assert.equal(pixels.includes(Buffer.from('fe01dc', 'hex')), false)
      }
      assert.equal(hits, 0)
    })
  }
})
