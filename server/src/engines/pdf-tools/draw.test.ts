import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bench } from '../../../test/support/bench.ts'
import { engine } from '../../../test/support/declared.ts'
import { samplePdf } from '../../../test/support/sample-pdf.ts'
import { colourAt } from '../../../test/support/samples.ts'
import type { Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import { tool } from '../kit/tool.ts'
import { type Drawing, drawPages } from './draw.ts'

const pages = Array.from({ length: 30 }, (_, at) => ({ text: String(at), paint: '1 0 0 rg 0 0 300 200 re f' }))
const sample = { ext: 'pdf', bytes: samplePdf({ pages }) } as const

const pdftoppm =
  (work: Work, ...args: string[]): Drawing['stretch'] =>
  (from, first, last, limits) =>
    tool(work, {
      program: '/usr/bin/pdftoppm',
      args: (inputs) => [...args, '-png', '-r', '50', '-f', `${first}`, '-l', `${last}`, from(inputs), 'page'],
      limits,
    })

/** Draws with a program that does as told, and with another that draws in gray what the first leaves out. */
const table = (first: (work: Work) => Drawing['stretch'], hasOther = true) =>
  bench(
    engine('drawing', {
      from: ['pdf'],
      to: ['png'],
      run: (work) =>
        drawPages(work, {
          wishes: { pdf_dpi: 20 },
          ending: 'png',
          warmly: async () => null,
          stretch: first(work),
          ...(hasOther && { otherwise: pdftoppm(work, '-gray') }),
          wentWell: (_, drawn) => drawn,
        }),
    }),
  )

const isRed = async (file: Buffer): Promise<boolean> => (await colourAt(file, 0.9, 0.1)) === '#ff0000'

async function redOnes(first: (work: Work) => Drawing['stretch']): Promise<number> {
  const { files } = await (await table(first)).make('convert', sample, 'png')
  assert.equal(files.length, pages.length)
  return (await Promise.all(files.map(isRed))).filter(Boolean).length
}

describe('pages that a program', () => {
  it('draws are left as they are', async () => assert.equal(await redOnes((work) => pdftoppm(work)), 30))

  it('leaves out are drawn by another, with those around them', async () => {
    // The first three, then all but the last of the stretch of 25 after them.
    const forgetful =
      (work: Work): Drawing['stretch'] =>
      (from, first, last, limits) =>
        pdftoppm(work)(from, first, last > 20 ? last - 1 : last, limits)
    assert.equal(await redOnes(forgetful), 3)
  })

  it('takes too long for are given to another at once', async () => {
    let asked = 0
    const slow = (): Drawing['stretch'] => async () => {
      asked += 1
      throw new Failure('engine_timeout', 'too long')
    }
    assert.equal(await redOnes(slow), 0)
    assert.equal(asked, 1)
  })

  it('leaves out are told where there is no other', async () => {
    const { make } = await table(
      (work) => (_, first, last, limits) => pdftoppm(work)(([at]) => at, first, Math.min(last, 29), limits),
      false,
    )
    await assert.rejects(make('convert', sample, 'png'), /Only 29 of the 30 pages of "sample\.pdf" could be drawn/)
  })
})
