import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import sharpLibrary from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { bench } from '../../test/support/bench.ts'
import { fits, GRAYS, targa, xcf } from '../../test/support/odd-pictures.ts'
import { CORNERS, colourAt, corners, near, photo } from '../../test/support/samples.ts'
import type { Ext } from '../catalog/formats.ts'
import { Failure } from '../core/errors.ts'
import { CLEAR, OPAQUE, readArgs, readList, saysDamaged, writeArgs } from './magick/args.ts'
import { magickEngine } from './magick.ts'
import { readPnm } from './sharp/pnm.ts'

const run = promisify(execFile)
const table = await bench(magickEngine)
const { make } = table
const dir = await mkdtemp(join(tmpdir(), 'reforge-magick-'))
after(() => rm(dir, { recursive: true, force: true }))

const one = async (...asked: Parameters<typeof make>): Promise<Buffer> => (await make(...asked)).files[0]!
const look = (bytes: Uint8Array) => sharpLibrary(bytes).metadata()
const png = await corners().png().toBuffer()

await writeFile(join(dir, 'in.png'), png)
/** By the program itself, outside the engine. */
async function written(ext: Ext): Promise<Buffer> {
  const output = join(dir, `sample.${ext}`)
  await run('/usr/bin/convert-im6.q16', [`png:${join(dir, 'in.png')}`, `${ext}:${output}`])
  return readFile(output)
}
async function opened(bytes: Buffer, ext: Ext, ...command: [string, ...string[]]): Promise<Buffer> {
  await writeFile(join(dir, `made.${ext}`), bytes)
  const [program, ...args] = command
  await run(program, [...args, '-o', join(dir, 'opened.png'), join(dir, `made.${ext}`)])
  return readFile(join(dir, 'opened.png'))
}

/** An icon of one picture of 16 × 16 and one of 32 × 32, which is red. */
async function icon(): Promise<Buffer> {
  const picture = (side: number, background: string) =>
    sharpLibrary({ create: { width: side, height: side, channels: 4, background } })
      .png()
      .toBuffer()
  const parts = [await picture(16, '#0000ff'), await picture(32, '#ff0000')]
  const head = Buffer.alloc(6 + 32)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(2, 4)
  let at = head.length
  parts.forEach((part, index) => {
    const entry = 6 + 16 * index
    head[entry] = head[entry + 1] = index === 0 ? 16 : 32
    head.writeUInt16LE(1, entry + 4)
    head.writeUInt16LE(32, entry + 6)
    head.writeUInt32LE(part.length, entry + 8)
    head.writeUInt32LE(at, entry + 12)
    at += part.length
  })
  return Buffer.concat([head, ...parts])
}
const ico = await icon()
const cur = Buffer.from(await written('ico')).fill(2, 2, 3)

const files: Partial<Record<Ext, Buffer>> = { png, jpg: await corners().jpeg().toBuffer(), ico, cur }
for (const ext of ['bmp', 'psd', 'pcx', 'ppm', 'pgm', 'pbm', 'dds', 'hdr', 'xbm', 'xpm', 'sgi'] as const)
  files[ext] = await written(ext)
files.pnm = files.ppm
files.tga = await targa(false)
files.fits = fits()
files.xcf = await xcf()
for (const ext of ['jp2', 'j2k'] as const)
  files[ext] = await one('convert', { ext: 'png', bytes: png }, ext, { quality: 100 })

/** What each format says of its size, by its own description; enough to know that it is one. */
const sides: Partial<Record<Ext, (bytes: Buffer) => [number, number]>> = {
  psd: (b) => [b.readUInt32BE(18), b.readUInt32BE(14)],
  pcx: (b) => [b.readUInt16LE(8) + 1, b.readUInt16LE(10) + 1],
  sgi: (b) => [b.readUInt16BE(6), b.readUInt16BE(8)],
  dds: (b) => [b.readUInt32LE(16), b.readUInt32LE(12)],
  pbm: (b) => words(b, /^P4\s(\d+) (\d+)\s/),
  xbm: (b) => words(b, /_width (\d+)\s.*_height (\d+)\s/s),
  xpm: (b) => words(b, /"(\d+) (\d+) \d+ \d+ ?"/),
  hdr: (b) => words(b, /-Y (\d+) \+X (\d+)/).reverse() as [number, number],
}
const words = (bytes: Buffer, pattern: RegExp): [number, number] => {
  const found = pattern.exec(bytes.toString('latin1'))
  return [Number(found?.[1]), Number(found?.[2])]
}

/** Pixels of formats that are plain rows, as PNG. */
const rows: Partial<Record<Ext, (bytes: Buffer) => Promise<Buffer>>> = {
  ppm: (b) => pnm(b),
  pgm: (b) => pnm(b),
  bmp: (b) => bgr(b.subarray(b.readUInt32LE(10)), b.readUInt16LE(28) / 8, true),
  tga: (b) => bgr(b.subarray(18), b[16]! / 8, (b[17]! & 0x20) === 0),
}
function pnm(bytes: Buffer): Promise<Buffer> {
  const { pixels, width, height, channels } = readPnm(bytes)!
  return sharpLibrary(pixels, { raw: { width, height, channels } }).png().toBuffer()
}
function bgr(pixels: Buffer, channels: number, fromBelow: boolean): Promise<Buffer> {
  assert.ok(channels === 3 || channels === 4)
  const turned = Buffer.from(pixels.subarray(0, 80 * 40 * channels))
  for (let at = 0; at < turned.length; at += channels) turned.subarray(at, at + 3).reverse()
  const picture = sharpLibrary(turned, { raw: { width: 80, height: 40, channels } })
  return (fromBelow ? picture.flip() : picture).png().toBuffer()
}

async function seen(bytes: Buffer, ext: Ext): Promise<Buffer | null> {
  if (ext === 'gif' || ext === 'png') return bytes
  if (ext === 'eps')
    return opened(bytes, ext, '/usr/bin/gs', '-q', '-dBATCH', '-dNOPAUSE', '-dEPSCrop', '-r72', '-sDEVICE=png16m')
  if (ext === 'jp2') return opened(bytes, ext, '/usr/bin/mutool', 'draw', '-r72')
  const plain = rows[ext]
  return plain ? plain(bytes) : null
}

engineContract(magickEngine, table, {
  files,
  async opens(bytes, ext) {
    const size = sides[ext]
    if (size) assert.deepEqual(size(bytes), [80, 40])
    const shown = await seen(bytes, ext)
    if (!shown) return
    const { width, height } = await look(shown)
    if (width === 32) return // an icon
    assert.deepEqual([width, height], [80, 40])
  },
})

describe('reading', () => {
  for (const ext of ['bmp', 'psd', 'tga', 'pcx', 'ppm', 'dds', 'hdr', 'xpm', 'sgi', 'jp2', 'j2k', 'xcf'] as const) {
    it(`shows every corner of ${ext} where it belongs`, async () => {
      const made = await one('convert', { ext, bytes: files[ext]! }, 'png')
      for (const [x, y] of [
        [0.1, 0.1],
        [0.9, 0.1],
        [0.1, 0.9],
        [0.9, 0.9],
      ] as const)
        assert.ok(near(await colourAt(made, x, y), await colourAt(png, x, y)), `${ext} at ${x}, ${y}`)
    })
  }

  it('shows FITS from below, as astronomers do', async () => {
    const made = await one('convert', { ext: 'fits', bytes: files.fits! }, 'png')
    const gray = async (x: number, y: number) => Number.parseInt((await colourAt(made, x, y)).slice(1, 3), 16)
    const seen = [await gray(0.1, 0.1), await gray(0.9, 0.1), await gray(0.1, 0.9), await gray(0.9, 0.9)]
    const { topLeft, topRight, bottomLeft, bottomRight } = GRAYS
    // The darkest becomes black and the brightest white, as the reader does for want of a scale.
    const order = (of: readonly number[]) => of.map((value) => of.filter((other) => other < value).length)
    assert.deepEqual(order(seen), order([topLeft, topRight, bottomLeft, bottomRight]))
  })

  it('shows the layers of GIMP that are switched on, each in its place', async () => {
    const made = await one('convert', { ext: 'xcf', bytes: files.xcf! }, 'png')
    assert.deepEqual([await colourAt(made, 0.5, 0.5), await colourAt(made, 0.7, 0.5)], ['#000000', CORNERS.bottomRight])
    const huge = Buffer.from(files.xcf!)
    huge.writeUInt32BE(60_000, 14)
    huge.writeUInt32BE(60_000, 18)
    await assert.rejects(make('convert', { ext: 'xcf', bytes: huge }, 'png'), /more pixels/)
  })

  it('takes Targa from above and from below', async () => {
    const made = await one('convert', { ext: 'tga', bytes: await targa(true) }, 'png')
    assert.equal(await colourAt(made, 0.1, 0.1), CORNERS.topLeft)
  })

  it('takes the biggest picture of an icon, or the one asked for', async () => {
    assert.equal(await colourAt(await one('convert', { ext: 'ico', bytes: ico }, 'png'), 0.5, 0.5), '#ff0000')
    const first = await one('convert', { ext: 'ico', bytes: ico }, 'png', { page: 1 })
    assert.deepEqual([(await look(first)).width, await colourAt(first, 0.5, 0.5)], [16, '#0000ff'])
    await assert.rejects(make('convert', { ext: 'ico', bytes: ico }, 'png', { page: 3 }), /no picture 3; it has 2/)
  })

  it('does what sharp does to pictures', async () => {
    const made = await one('convert', { ext: 'psd', bytes: files.psd! }, 'png', { image_custom_width: 20 })
    assert.equal((await look(made)).width, 20)
  })

  it('says so when a file is damaged or lies about its size', async () => {
    const failure = (pattern: RegExp) => (error: unknown) => error instanceof Failure && pattern.test(error.message)
    await assert.rejects(
      make('convert', { ext: 'psd', bytes: files.psd!.subarray(0, 60) }, 'png'),
      failure(/could not be read/),
    )
    const huge = Buffer.from('P6\n60000 60000\n255\n')
    await assert.rejects(make('convert', { ext: 'ppm', bytes: huge }, 'png'), failure(/more pixels|could not be read/))
  })

  it('follows no other name or format that a file holds', async () => {
    const script = Buffer.from('<image><read filename="/etc/passwd"/><write filename="out.png"/></image>')
    for (const ext of ['xpm', 'bmp', 'psd'] as const)
      await assert.rejects(make('convert', { ext, bytes: script }, 'png'), Failure)
  })
})

describe('writing', () => {
  for (const ext of ['bmp', 'tga', 'ppm', 'jp2', 'eps', 'gif'] as const) {
    it(`puts every corner of ${ext} where it belongs`, async () => {
      const shown = await seen(await one('convert', { ext: 'png', bytes: png }, ext), ext)
      for (const [x, y, colour] of [
        [0.1, 0.1, CORNERS.topLeft],
        [0.9, 0.1, CORNERS.topRight],
        [0.1, 0.9, CORNERS.bottomLeft],
      ] as const)
        assert.ok(near(await colourAt(shown!, x, y), colour), `${ext} at ${x}, ${y}`)
    })
  }

  it('makes an icon of the sizes asked for', async () => {
    const made = await one('convert', { ext: 'png', bytes: png }, 'ico', { ico_sizes: '16,48' })
    assert.deepEqual([made.readUInt16LE(4), made[6], made[22]].sort(), [16, 2, 48].sort())
    const usual = await one('convert', { ext: 'png', bytes: png }, 'ico')
    assert.equal(usual.readUInt16LE(4), 4)
  })

  it('makes a cursor that points where it should', async () => {
    const given = { ico_sizes: '32,48', cur_hotspot_x: 50, cur_hotspot_y: 100 }
    const made = await one('convert', { ext: 'png', bytes: png }, 'cur', given)
    const points = [6, 22].map((at) => [made[at], made.readUInt16LE(at + 4), made.readUInt16LE(at + 6)])
    assert.deepEqual(points.sort(), [
      [32, 16, 31],
      [48, 24, 47],
    ])
    assert.equal((await look(await one('convert', { ext: 'cur', bytes: made }, 'png'))).width, 48)
  })

  it('fills transparency where a format has none', async () => {
    const clear = await sharpLibrary({ create: { width: 80, height: 40, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer()
    const white = await pnm(await one('convert', { ext: 'png', bytes: clear }, 'ppm'))
    assert.equal(await colourAt(white, 0.5, 0.5), '#ffffff')
    const green = await pnm(await one('convert', { ext: 'png', bytes: clear }, 'ppm', { background: '#00ff00' }))
    assert.equal(await colourAt(green, 0.5, 0.5), '#00ff00')
    const kept = await one('convert', { ext: 'png', bytes: clear }, 'tga')
    assert.deepEqual([kept[16], kept[18 + 3]], [32, 0])
  })

  it('obeys the quality of JPEG 2000', async () => {
    const bytes = await photo().png().toBuffer()
    const size = async (quality: number) => (await one('convert', { ext: 'png', bytes }, 'jp2', { quality })).length
    assert.ok((await size(20)) < (await size(80)))
    const exact = await one('convert', { ext: 'png', bytes }, 'jp2', { quality: 100 })
    const shown = await opened(exact, 'jp2', '/usr/bin/mutool', 'draw', '-r72')
    const pixels = (of: Buffer) => sharpLibrary(of).removeAlpha().raw().toBuffer()
    assert.ok((await pixels(shown)).equals(await pixels(bytes)))
  })

  it('obeys the colours and patterns of a GIF', async () => {
    // Without grain: patterns in place of even steps take more bytes then, whatever the day.
    const stops = '<stop stop-color="#102080"/><stop offset="1" stop-color="#f0e060"/>'
    const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"><linearGradient id="g">${stops}</linearGradient><rect width="160" height="120" fill="url(#g)"/></svg>`
    const bytes = await sharpLibrary(Buffer.from(drawn)).png().toBuffer()
    const gif = (given: Record<string, unknown>) => one('convert', { ext: 'png', bytes }, 'gif', given)
    const colours = async (of: Buffer) => {
      const { data } = await sharpLibrary(of).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      return new Set(data.toString('hex').match(/.{6}/g)).size
    }
    assert.ok((await colours(await gif({ gif_colors: '4' }))) <= 4)
    assert.ok((await colours(await gif({}))) > 16)
    const few = { gif_colors: '4' } as const
    assert.ok((await gif({ ...few, gif_dither: 0 })).length < (await gif(few)).length)
  })

  it('obeys the compression of DDS', async () => {
    const clear = await corners().ensureAlpha(0.5).png().toBuffer()
    const dds = async (dds_compression: string) =>
      (await one('convert', { ext: 'png', bytes: clear }, 'dds', { dds_compression })).toString('latin1', 84, 88)
    assert.deepEqual([await dds('dxt1'), await dds('dxt5'), await dds('none')], ['DXT1', 'DXT5', '\0\0\0\0'])
  })
})

describe('its arguments', () => {
  it('name the format of every file', () => {
    for (const to of [...CLEAR, ...OPAQUE]) {
      const args = writeArgs('step.png', to, { width: 80, height: 40 })
      assert.ok(args.includes('png:step.png') && args.at(-1)!.startsWith(to), to)
    }
    assert.ok(readArgs('psd', '/in/0.psd').includes('psd:/in/0.psd[0]'))
  })

  it('tell what is missing from what is merely strange', () => {
    assert.ok(saysDamaged("convert: Corrupt JPEG data: premature end of data segment. `LibJpeg' @ warning/tiff.c/981."))
    assert.ok(!saysDamaged("convert: Unknown field with tag 33000 (0x80e8) encountered. `TIFFReadDirectory' @ warning"))
  })

  it('read the list of pictures and nothing else', () =>
    assert.deepEqual(readList('0 16 16\n1 32 32\nrubbish 1\n'), [
      { index: 0, pixels: 256 },
      { index: 1, pixels: 1024 },
    ]))
})
