import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import sharpLibrary from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, type Made } from '../../test/support/bench.ts'
import * as pictures from '../../test/support/picture-proofs.ts'
import { animation, colourAt, corners, near } from '../../test/support/samples.ts'
import { picturePages } from './picture-pages.ts'

const run = promisify(execFile)
const table = await bench(picturePages)
const { make } = table
const dir = await mkdtemp(join(tmpdir(), 'reforge-pages-'))
after(() => rm(dir, { recursive: true, force: true }))

const COLOURS = ['#ff0000', '#00ff00', '#0000ff']
const gif = await animation('gif', COLOURS, [100, 100, 100])
const webp = await animation('webp', COLOURS, [100, 100, 100])
/** Two pages of different sizes, 100 dots to the inch, by ImageMagick. */
async function twoPages(): Promise<Buffer> {
  const [a, b, out] = ['a.png', 'b.png', 'out.tiff'].map((name) => join(dir, name)) as [string, string, string]
  await writeFile(a, await corners(100, 50).png().toBuffer())
  await writeFile(b, await corners(60, 80).png().toBuffer())
  await run('/usr/bin/convert-im6.q16', [a, b, '-units', 'PixelsPerInch', '-density', '100', out])
  return readFile(out)
}
const tiff = await twoPages()

/** The pages as poppler draws them, a pixel a point, and their sizes in points. */
async function pages(pdf: Buffer): Promise<{ sizes: string[]; drawn: Buffer[] }> {
  const path = join(dir, 'made.pdf')
  await writeFile(path, pdf)
  const { stdout } = await run('/usr/bin/pdfinfo', ['-l', '-1', path])
  const sizes = [...stdout.matchAll(/^Page.*size: +([\d.]+ x [\d.]+)/gm)].map(([, size = '']) =>
    size
      .split(' x ')
      .map((side) => Math.round(Number(side) * 10) / 10)
      .join(' x '),
  )
  const drawn = sizes.map(async (_, index) => {
    await run('/usr/bin/pdftoppm', [
      '-png',
      '-r',
      '72',
      '-f',
      `${index + 1}`,
      '-singlefile',
      path,
      join(dir, `p${index}`),
    ])
    return readFile(join(dir, `p${index}.png`))
  })
  return { sizes, drawn: await Promise.all(drawn) }
}
const convert = async (ext: 'tiff' | 'gif' | 'webp', bytes: Buffer, given = {}): Promise<Buffer> =>
  (await make('convert', { ext, bytes }, 'pdf', given)).files[0]!

engineContract(picturePages, table, {
  files: { tiff, gif, webp },
  async opens(bytes) {
    assert.ok((await pages(bytes)).drawn.length >= 2)
  },
})

describe('a picture with pages', () => {
  it('becomes a document with as many, each of its own size', async () => {
    const { sizes, drawn } = await pages(await convert('tiff', tiff))
    assert.deepEqual(sizes, ['72 x 36', '43.2 x 57.6'])
    for (const each of drawn) assert.ok(near(await colourAt(each, 0.2, 0.2), '#ff0000'))
  })

  it('becomes one page where one is asked for', async () => {
    assert.deepEqual((await pages(await convert('tiff', tiff, { page: 2 }))).sizes, ['43.2 x 57.6'])
    await assert.rejects(convert('tiff', tiff, { page: 3 }), /no such page; it has 2 pages/)
  })

  it('becomes a page a frame where it moves', async () => {
    for (const [ext, bytes] of [
      ['gif', gif],
      ['webp', webp],
    ] as const) {
      const { drawn } = await pages(await convert(ext, bytes))
      for (const [index, colour] of COLOURS.entries())
        assert.ok(near(await colourAt(drawn[index]!, 0.5, 0.5), colour), `${ext}, page ${index + 1}`)
      assert.equal((await pages(await convert(ext, bytes, { page: 1 }))).sizes.length, 1)
    }
  })

  it('obeys what is asked of pictures and of pages', async () => {
    const given = { pdf_page_size: '1240.2x1753.95', image_grayscale: true }
    const { sizes, drawn } = await pages(await convert('gif', gif, given))
    assert.deepEqual(new Set(sizes), new Set(['841.9 x 595.3']))
    const { channels } = await sharpLibrary(drawn[0]!).stats()
    assert.ok(Math.abs(channels[0]!.mean - channels[1]!.mean) < 1)
  })
})

const { sizeProofs, changesBefore } = pictures
const still = await corners().tiff({ compression: 'deflate' }).toBuffer()
const held = pictures.written(() => corners().withMetadata({ orientation: 6 }))
const onTiff = { from: ['tiff'] } as const
/** A page has points, not pixels: how many there are is a matter of what is noted about printing. */
const seen = Object.fromEntries(
  Object.entries({ ...sizeProofs, ...changesBefore }).map(([name, { shows, ...each }]) => {
    const sized = /width|height|side|resize|rotate/.test(name)
    return [name, { sample: still, ...each, on: onTiff, ...(!sized && shows !== undefined && { shows }) }]
  }),
)
const onPage = { pdf_page_size: '1240.2x1753.95' }
const first = async ({ files: [file] }: Made) => (await pages(file!)).sizes[0]
const told = async ({ files: [file] }: Made) => file!.includes('Secret')
const where = async ({ files: [file] }: Made) => colourAt((await pages(file!)).drawn[0]!, 0.5, 0.05)

optionProofs(picturePages, table, {
  files: { tiff, gif, webp },
  proofs: {
    ...seen,
    'auto-orient': proof({ on: onTiff, sample: held, given: false, see: first }),
    page: proof({ given: 2, see: async ({ files: [file] }) => (await pages(file!)).sizes.length, shows: 1 }),
    strip: proof({ on: onTiff, sample: pictures.telling, given: false, see: told }),
    pdf_page_size: proof({ given: '1240.2x1753.95', see: first, shows: '841.9 x 595.3' }),
    pdf_orientation: proof({ with: onPage, given: 'portrait', see: first, shows: '595.3 x 841.9' }),
    pdf_image_alignment: proof({ with: { ...onPage, pdf_orientation: 'portrait' }, given: 'Top', see: where }),
    pdf_margin: proof({ given: 50, see: first }),
    enlarge_images_to_fit: proof({
      with: onPage,
      given: false,
      see: async ({ files: [file] }) => colourAt((await pages(file!)).drawn[0]!, 0.05, 0.5),
    }),
  },
})
