import assert from 'node:assert/strict'
import { after } from 'node:test'
import { engineContract } from '../../test/contract/engine.ts'
import { bench } from '../../test/support/bench.ts'
import { assertPrinted, infoOf, partsOf, wordsOfPdf } from '../../test/support/office-look.ts'
import { officeSamples, WORDS } from '../../test/support/office-samples.ts'
import { samplePdf } from '../../test/support/sample-pdf.ts'
import { tempDir } from '../../test/support/temp-dir.ts'
import type { Ext } from '../catalog/formats.ts'
import { office } from './office.ts'

const { path: dir, remove } = await tempDir()
after(remove)
const workbench = await bench(office)
const files = {
  ...(await officeSamples(workbench.residents, dir)),
  pdf: samplePdf({ pages: [{ text: WORDS, width: 600, height: 400 }] }),
}

/** Where the words are, in what is packed. */
const MAIN: Partial<Record<Ext, RegExp>> = {
  docx: /^word\/document\.xml$/,
  odt: /^content\.xml$/,
  xlsx: /^xl\/(sharedStrings|worksheets\/sheet1)\.xml$/,
  ods: /^content\.xml$/,
  pptx: /^ppt\/slides\/slide1\.xml$/,
  odp: /^content\.xml$/,
}

async function opens(bytes: Buffer, ext: Ext): Promise<void> {
  if (ext === 'pdf') {
    assert.ok((await infoOf(bytes)).pages > 0)
    await assertPrinted(bytes)
    const words = await wordsOfPdf(bytes)
    // Metafiles and the drawing of CorelDRAW are pictures: ours have no words.
    assert.ok(words === '' || words.includes(WORDS), words)
    return
  }
  if (ext === 'odg')
    return assert.match(partsOf(bytes)['content.xml'] ?? '', /<draw:(path|polygon|rect|frame|custom-shape)/)
  if (ext === 'svg') return assert.match(bytes.toString(), /<svg[\s\S]*<(path|rect|text|tspan|image)/)
  const part = MAIN[ext]
  const texts = part ? Object.entries(partsOf(bytes)).flatMap(([name, text]) => (part.test(name) ? [text] : [])) : []
  const squeezed = [...texts, bytes.toString('latin1')].map((text) =>
    text.replaceAll(/<[^>]*>|\\[a-z]+-?\d* ?|[\s{}]/g, ''),
  )
  assert.ok(
    squeezed.some((text) => text.includes(WORDS.replaceAll(' ', ''))) || bytes.includes(Buffer.from(WORDS, 'utf16le')),
    `the words are in the ${ext}`,
  )
}

/**
 * Of these not every pair is run: the first start a LibreOffice of their own and wait for it, and of the others all but PDF
 * and SVG is made of their OpenDocument. How each is read is proven here, and how each is written too; that reading and
 * writing go together is proven by all the rest.
 */
const SOME: Partial<Record<Ext, readonly Ext[]>> = {
  ...{ csv: ['pdf', 'xlsx', 'html', 'tsv'], tsv: ['csv'], pdf: ['docx', 'pptx'] },
  ...{ wpd: ['pdf', 'docx', 'odt'], wps: ['pdf', 'rtf'], pages: ['pdf', 'txt'], numbers: ['pdf', 'csv', 'xlsx'] },
  ...{ key: ['pdf', 'pptx'], vsdx: ['pdf', 'svg', 'odg'], vsd: ['pdf', 'svg'] },
  ...{ pub: ['pdf', 'svg'], cdr: ['pdf', 'svg'] },
}
engineContract(office, workbench, {
  files,
  opens,
  proves: ({ from, to }) => SOME[from]?.includes(to) ?? true,
  together: 2,
})
