import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench } from '../../test/support/bench.ts'
import { storedPictures } from '../../test/support/pdf-look.ts'
import { pdfFact, soundPdf, through } from '../../test/support/sample-pdf.ts'
import { colourAt, near, photo } from '../../test/support/samples.ts'
import { tempDir } from '../../test/support/temp-dir.ts'
import { checkEngines } from '../catalog/check.ts'
import type { Ext } from '../catalog/formats.ts'
import { Failure } from '../core/errors.ts'
import { djvu } from './djvu.ts'

const table = await bench(djvu)

/** A red page and a page of noise, bound together; the first says something. */
async function book(second?: string): Promise<Buffer> {
  const { path, remove } = await tempDir()
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: path })
  try {
    const red = sharp({ create: { width: 120, height: 80, channels: 3, background: '#ff0000' } })
    for (const [index, picture] of [red, photo(120, 80)].entries()) {
      const raw = await picture.removeAlpha().toColourspace('srgb').raw().toBuffer()
      await writeFile(join(path, `${index}.ppm`), Buffer.concat([Buffer.from('P6\n120 80\n255\n'), raw]))
      run('c44', '-dpi', '100', `${index}.ppm`, `${index}.djvu`)
    }
    const said = ['Read me', ...(second === undefined ? [] : [second])]
    const steps = said.map((text, index) => `select ${index + 1}\nset-txt\n(page 0 0 120 80 "${text}")\n.\n`)
    await writeFile(join(path, 'words'), `${steps.join('')}save\n`)
    run('djvm', '-c', 'book.djvu', '0.djvu', '1.djvu')
    run('djvused', 'book.djvu', '-f', 'words')
    return await readFile(join(path, 'book.djvu'))
  } finally {
    await remove()
  }
}
const bytes = await book()
const make = async (to: Ext, given = {}): Promise<Buffer> =>
  (await table.make('convert', { ext: 'djvu', bytes }, to, given)).files[0]!
const failure = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Failure, String(error))
  assert.match(error.message, words)
  return true
}

engineContract(djvu, table, {
  files: { djvu: bytes },
  async opens(made, ext) {
    if (ext === 'txt') assert.match(made.toString(), /Read me/)
    else if (ext === 'tiff') assert.equal((await sharp(made).metadata()).pages, 2)
    else {
      await soundPdf(made)
      assert.equal(await pdfFact(made, 'Pages'), '2')
    }
  },
})

it('the declarations hold together', () => assert.deepEqual(checkEngines([djvu]), []))

optionProofs(djvu, table, {
  files: { djvu: bytes },
  proofs: {
    quality: proof({
      on: { to: ['pdf'] },
      given: 25,
      see: async ({ files }) => Math.max(...(await storedPictures(files[0]!)).map((picture) => picture.bytes.length)),
      shows: (changed, usual) => assert.ok(changed < usual, `${changed} and ${usual}`),
    }),
    djvu_pages: [
      proof({ on: { to: ['pdf'] }, given: '1', see: ({ files }) => pdfFact(files[0]!, 'Pages'), shows: '1' }),
      proof({
        on: { to: ['txt'] },
        sample: await book('And me'),
        given: '2',
        see: ({ files }) => files[0]!.toString().trim(),
        shows: 'And me',
      }),
    ],
    djvu_mode: proof({
      on: { to: ['tiff'] },
      given: 'black',
      see: async ({ files }) => near(await colourAt(files[0]!, 0.5, 0.5), '#ff0000'),
      shows: false,
    }),
  },
})

describe('a book', () => {
  it('gives the pages that were asked for, of their size', async () => {
    const made = await make('pdf', { djvu_pages: '1' })
    assert.deepEqual([await pdfFact(made, 'Pages'), await pdfFact(made, 'Page size')], ['1', '86.4 x 57.6 pts'])
    const { made: drawn } = await through('mutool', ['draw', '-q', '-F', 'png', '-o', '{out}', '{}'], made)
    assert.ok(near(await colourAt(drawn, 0.5, 0.5), '#ff0000'))
    assert.equal((await sharp(await make('tiff', { djvu_pages: '2,1-' })).metadata()).pages, 3)
    await assert.rejects(make('pdf', { djvu_pages: '3' }), failure(/djvu_pages .* no page 3: the document has only 2/))
    await assert.rejects(make('txt', { djvu_pages: '2' }), failure(/has no text in it/))
  })

  it('heeds quality and layers', async () => {
    assert.ok((await make('pdf', { quality: 25 })).length < (await make('pdf', { quality: 95 })).length)
    const black = await make('tiff', { djvu_mode: 'black', djvu_pages: '1' })
    assert.ok(!near(await colourAt(black, 0.5, 0.5), '#ff0000'))
  })

  it('that is cut off is refused', async () => {
    const cut = { ext: 'djvu', bytes: bytes.subarray(0, 40) } as const
    await assert.rejects(table.make('convert', cut, 'pdf'), failure(/could not be read|damaged/))
  })
})
