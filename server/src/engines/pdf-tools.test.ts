import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, type Made } from '../../test/support/bench.ts'
import {
  ask,
  lockedPdf,
  pdfFact,
  pdfWords,
  samplePdf,
  soundPdf,
  stream,
  through,
  unpacked,
} from '../../test/support/sample-pdf.ts'
import { colourAt } from '../../test/support/samples.ts'
import { checkEngines } from '../catalog/check.ts'
import { Failure } from '../core/errors.ts'
import { pdfTools } from './pdf-tools.ts'

const table = await bench(pdfTools)

const pdf = samplePdf({
  pages: [{ text: 'First', paint: '1 0 0 rg 0 0 300 90 re f' }, { text: 'Second' }, { text: 'Third' }],
})
const make = async (given = {}, bytes = pdf): Promise<Buffer> => {
  const { files } = await table.make('convert', { ext: 'pdf', bytes }, 'pdf', given)
  assert.equal(files.length, 1)
  return files[0]!
}
const failure = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Failure, String(error))
  assert.match(error.message, words)
  return true
}
const drawn = async (bytes: Buffer): Promise<Buffer> =>
  (await through('mutool', ['draw', '-q', '-F', 'png', '-o', '{out}', '{}', '1'], bytes)).made

engineContract(pdfTools, table, {
  files: { pdf },
  async opens(bytes) {
    await soundPdf(bytes)
    assert.equal(await pdfWords(bytes), 'First Second Third')
  },
})

it('the declarations hold together', () => assert.deepEqual(checkEngines([pdfTools]), []))

describe('the version of PDF', () => {
  it('is the one asked for, newer or older than it was', async () => {
    for (const version of ['2.0', '1.7', '1.4', '1.3']) {
      const made = await make({ pdf_version: version })
      assert.deepEqual([await pdfFact(made, 'PDF version'), `${made.subarray(0, 8)}`], [version, `%PDF-${version}`])
      await soundPdf(made)
      assert.equal(await pdfWords(made), 'First Second Third')
    }
  })

  it('has nothing in it that came later', async () => {
    const { made: packed } = await through('qpdf', ['--object-streams=generate', '{}', '{out}'], pdf)
    assert.match(`${packed}`, /ObjStm/)
    assert.doesNotMatch(`${await make({ pdf_version: '1.4' }, packed)}`, /ObjStm|XRef/)
  })
})

describe('pages', () => {
  it('are taken in the order given', async () =>
    assert.equal(await pdfWords(await make({ pdf_pages: '3,1-2,1' })), 'Third First Second First'))

  it('are turned', async () => {
    assert.equal(await pdfFact(await make({ pdf_rotate: 90 }), 'Page rot'), '90')
    assert.equal(await colourAt(await drawn(pdf), 0.9, 0.9), '#ff0000')
    assert.equal(await colourAt(await drawn(await make({ pdf_rotate: '180' })), 0.1, 0.1), '#ff0000')
  })

  it('lose their colours', async () => {
    assert.match(await colourAt(await drawn(await make({ pdf_grayscale: true })), 0.9, 0.9), /^#(..)\1\1$/)
  })

  it('can be shown before all is loaded', async () => {
    assert.equal(await pdfFact(await make({ pdf_linearize: true }), 'Optimized'), 'yes')
    assert.equal(await pdfFact(await make(), 'Optimized'), 'no')
  })
})

describe('protection', () => {
  it('is given: a password to open, and restrictions', async () => {
    const made = await make({ pdf_new_password: '--', pdf_owner_password: 'über', pdf_allow_print: false })
    await assert.rejects(soundPdf(made), /invalid password/)
    const words = await pdfFact(made, 'Encrypted', '-upw', '--')
    assert.match(words ?? '', /print:no copy:yes change:yes .*AES-256/)
    assert.match(await ask('qpdf', ['--password=über', '--show-encryption', '{}'], made), /Supplied password is owner/)
  })

  it('may be restrictions alone', async () => {
    const made = await make({ pdf_allow_copy: false, pdf_allow_change: false })
    assert.match((await pdfFact(made, 'Encrypted')) ?? '', /print:yes copy:no change:no addNotes:no/)
    assert.match(await ask('qpdf', ['--show-encryption', '{}'], made), /Supplied password is user/)
  })

  it('stays as it was, whatever else is done', async () => {
    const bytes = await lockedPdf(pdf, 'geheim')
    for (const given of [{}, { pdf_pages: '2' }, { pdf_grayscale: true }]) {
      const made = await make({ pdf_password: 'geheim', ...given }, bytes)
      await assert.rejects(soundPdf(made), /invalid password/)
      assert.match((await pdfFact(made, 'Encrypted', '-upw', 'geheim')) ?? '', /^yes/)
      assert.match((await pdfFact(made, 'Encrypted', '-opw', 'owner')) ?? '', /^yes/)
    }
  })

  it('is taken away by whoever has the password', async () => {
    const bytes = await lockedPdf(pdf, 'geheim')
    const made = await make({ pdf_password: 'geheim', pdf_remove_password: true }, bytes)
    assert.equal(await pdfFact(made, 'Encrypted'), 'no')
    await assert.rejects(make({ pdf_remove_password: true }, bytes), failure(/protected by a password/))
    await assert.rejects(make({ pdf_password: 'x', pdf_remove_password: true }, bytes), failure(/does not open/))
  })
})

/** All that can act or hide in a document, of every kind we know. */
const lively = samplePdf({
  pages: [
    {
      text: 'Harmless',
      more: `/AA<</O<</S/JavaScript/JS(AAA1)>>>>/Annots[
        <</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/Launch/F(AAA2.exe)>>>>
        <</Type/Annot/Subtype/Link/Rect[0 9 9 19]/A<</S/URI/URI(http://AAA3.example/)>>>>
        <</Type/Annot/Subtype/FileAttachment/Rect[20 0 29 9]/FS 10 0 R>>
        <</Type/Annot/Subtype/Widget/FT/Tx/T(AAA4)/Rect[30 0 39 9]/AA<</K<</S/JavaScript/JS(AAA5)>>>>>>]`,
    },
  ],
  catalog: `/OpenAction<</S/JavaScript/JS(AAA6)>>/AA<</WC<</S/JavaScript/JS(AAA7)>>>>/Outlines 12 0 R
    /Names<</EmbeddedFiles<</Names[(AAA8.txt) 10 0 R]>>/JavaScript<</Names[(n)<</S/JavaScript/JS(AAA9)>>]>>>>
    /AF[10 0 R]/AcroForm<</Fields[]/XFA(AAA10)>>`,
  objects: [
    '<</Type/Filespec/F(AAA8.txt)/EF<</F 11 0 R>>>>',
    stream('AAA11', '/Type/EmbeddedFile'),
    '<</Type/Outlines/First 13 0 R/Last 14 0 R/Count 2>>',
    '<</Title(One)/Parent 12 0 R/Next 14 0 R/A<</S/JavaScript/JS(AAA12)>>>>',
    '<</Title(Two)/Parent 12 0 R/Prev 13 0 R/A<</S/Launch/F(AAA13)>>>>',
  ],
})

const locked = await lockedPdf(pdf, 'geheim')
const fact =
  (name: string, ...args: string[]) =>
  ({ files }: Made) =>
    pdfFact(files[0]!, name, ...args).catch(() => 'does not open')
const restricted = (words: RegExp) => ({
  given: false,
  see: fact('Encrypted'),
  shows: (changed: string | undefined) => assert.match(changed ?? '', words),
})

optionProofs(pdfTools, table, {
  files: { pdf },
  proofs: {
    pdf_pages: proof({ given: '3,1', see: ({ files }) => pdfWords(files[0]!), shows: 'Third First' }),
    pdf_rotate: proof({ given: '90', see: fact('Page rot'), shows: '90' }),
    pdf_password: proof({ sample: locked, given: 'geheim', elseFails: true, see: fact('Pages', '-upw', 'geheim') }),
    pdf_remove_password: proof({
      sample: locked,
      with: { pdf_password: 'geheim' },
      given: true,
      see: fact('Encrypted'),
      shows: 'no',
    }),
    pdf_new_password: proof({ given: 'neu', see: fact('Pages'), shows: 'does not open' }),
    pdf_owner_password: proof({
      with: { pdf_new_password: 'neu' },
      given: 'über',
      see: fact('Pages', '-opw', 'über'),
      shows: '3',
    }),
    pdf_allow_print: proof(restricted(/^yes \(print:no copy:yes change:yes/)),
    pdf_allow_copy: proof(restricted(/^yes \(print:yes copy:no change:yes/)),
    pdf_allow_change: proof(restricted(/^yes \(print:yes copy:yes change:no/)),
    pdf_a: proof({
      given: '2b',
      see: async ({ files }) => /pdfaid:part='2'/.test(await ask('pdfinfo', ['-meta', '{}'], files[0]!)),
      shows: true,
    }),
    pdf_version: proof({ given: '1.3', see: fact('PDF version'), shows: '1.3' }),
    pdf_sanitize: proof({ sample: lively, given: true, see: fact('JavaScript'), shows: 'no' }),
    pdf_grayscale: proof({
      given: true,
      see: async ({ files }) => /^#(..)\1\1$/.test(await colourAt(await drawn(files[0]!), 0.9, 0.9)),
      shows: true,
    }),
    strip: proof({ given: true, see: fact('Title'), shows: (changed) => assert.equal(changed, undefined) }),
    pdf_linearize: proof({ given: true, see: fact('Optimized'), shows: 'yes' }),
  },
})

describe('active content', () => {
  it('is all in the sample, and stays unless told otherwise', async () => {
    const found = new Set((await unpacked(await make({}, lively))).match(/AAA\d+/g))
    assert.equal(found.size, 13)
  })

  it('is gone when the document is sanitised', async () => {
    const made = await make({ pdf_sanitize: true }, lively)
    await soundPdf(made)
    assert.equal(await pdfWords(made), 'Harmless')
    const inside = await unpacked(made)
    assert.deepEqual(inside.match(/AAA\d+/g) ?? [], [])
    assert.deepEqual(inside.match(/\/(JS|JavaScript|Launch|EmbeddedFiles?|AA|OpenAction|Annots|XFA|URI)\b/g) ?? [], [])
  })
})

describe('metadata', () => {
  it('goes when told, and only then', async () => {
    const known = samplePdf({
      pages: [{ text: 'Words' }],
      catalog: '/Metadata 10 0 R',
      objects: [stream('<x>secret</x>', '/Type/Metadata/Subtype/XML')],
    })
    const stripped = await make({ strip: true }, known)
    await soundPdf(stripped)
    assert.deepEqual((await unpacked(stripped)).match(/secret|Somebody|\/Info|\/Metadata/g) ?? [], [])
    assert.match(await unpacked(await make({}, known)), /secret/)
  })
})

describe('PDF/A', () => {
  for (const part of ['1', '2', '3']) {
    it(`is made as part ${part}: colours described, fonts in the file, nothing active`, async () => {
      const made = await make({ pdf_a: `${part}b` }, lively)
      await soundPdf(made)
      const metadata = await ask('pdfinfo', ['-meta', '{}'], made)
      assert.match(metadata, new RegExp(`pdfaid:part='${part}' pdfaid:conformance='B'`))
      const inside = await unpacked(made)
      assert.match(inside, /\/OutputIntents/)
      assert.match(inside, /\/S \/GTS_PDFA1/)
      assert.deepEqual(inside.match(/AAA8|AAA11|\/JavaScript|\/Launch/g) ?? [], [])
      const [, , font = ''] = (await ask('pdffonts', ['{}'], made)).split('\n')
      assert.match(font, /^[A-Z]{6}\+\S+ .* yes yes/)
      assert.equal(await pdfWords(made), 'Harmless')
    })
  }

  it('can be gray, and is never protected', async () => {
    const bytes = await lockedPdf(pdf, 'geheim')
    const made = await make({ pdf_a: '2b', pdf_grayscale: true, pdf_password: 'geheim' }, bytes)
    assert.equal(await pdfFact(made, 'Encrypted'), 'no')
    assert.match(await ask('pdfinfo', ['-meta', '{}'], made), /pdfaid:part='2'/)
    assert.match(await unpacked(made), /\/N 1\b/)
  })
})
