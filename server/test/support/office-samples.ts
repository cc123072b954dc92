/** One small document of every office format, each saying `WORDS`, made by LibreOffice itself from a flat one. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ext } from '../../src/catalog/formats.ts'
import { zygote } from '../../src/engines/office/zygote.ts'
import type { Residents } from '../../src/engines/resident.ts'
import { keynote, numbers, pages } from './apple-office.ts'
import { drawingOf, sheetsOf, slidesOf, textOf } from './flat-office.ts'
import { emf, wmf, xlsb } from './odd-office.ts'
import { cdr, pub, wpd, wps } from './old-office.ts'
import { vsd, vsdx } from './visio.ts'

export const WORDS = 'Hello Reforge'

const FLAT = {
  fodt: textOf([WORDS]),
  fods: sheetsOf({ First: [[WORDS, 42.5]], Second: [['Other sheet', 7]] }),
  fodp: slidesOf([{ words: WORDS }]),
  fodg: drawingOf(WORDS),
}

/** LibreOffice's own name for how each is written. */
const MADE: Readonly<Partial<Record<Ext, readonly [from: keyof typeof FLAT, filter: string]>>> = {
  docx: ['fodt', 'MS Word 2007 XML'],
  doc: ['fodt', 'MS Word 97'],
  dotx: ['fodt', 'MS Word 2007 XML Template'],
  dot: ['fodt', 'MS Word 97 Vorlage'],
  docm: ['fodt', 'MS Word 2007 XML VBA'],
  rtf: ['fodt', 'Rich Text Format'],
  odt: ['fodt', 'writer8'],
  ott: ['fodt', 'writer8_template'],
  xlsx: ['fods', 'Calc MS Excel 2007 XML'],
  xls: ['fods', 'MS Excel 97'],
  xlsm: ['fods', 'Calc MS Excel 2007 VBA XML'],
  ods: ['fods', 'calc8'],
  ots: ['fods', 'calc8_template'],
  pptx: ['fodp', 'Impress MS PowerPoint 2007 XML'],
  ppt: ['fodp', 'MS PowerPoint 97'],
  pps: ['fodp', 'MS PowerPoint 97 AutoPlay'],
  ppsx: ['fodp', 'Impress Office Open XML AutoPlay'],
  pptm: ['fodp', 'Impress MS PowerPoint 2007 XML VBA'],
  odp: ['fodp', 'impress8'],
  otp: ['fodp', 'impress8_template'],
  odg: ['fodg', 'draw8'],
}

export interface Source {
  ext: string
  bytes: Uint8Array
}

/** Saves a document under one of LibreOffice's own names for formats, perhaps with a password. */
export async function saved(
  residents: Residents,
  dir: string,
  { ext, bytes }: Source,
  filter: string,
  to: string,
  password?: string,
): Promise<Buffer> {
  assert.ok(zygote, 'the helper office-zygote is built')
  const folder = await mkdtemp(join(dir, 'sample-'))
  const [input, output] = [join(folder, `in.${ext}`), join(folder, `out.${to}`)]
  await writeFile(input, bytes)
  const text = (value: string) => ({ type: 'string', value })
  const save = {
    URL: text(`file:///proc/self/cwd/out/out.${to}`),
    FilterName: text(filter),
    ...(password !== undefined && { Password: text(password) }),
  }
  const question = { input: `in.${ext}`, output: `out.${to}`, save: JSON.stringify(save) }
  const answer = await residents.ask(zygote, 'tester', question, input, output, new AbortController().signal)
  assert.equal(answer.status, 'ok', `${to}: ${answer.words}`)
  return await readFile(output)
}

export async function officeSamples(residents: Residents, dir: string): Promise<Partial<Record<Ext, Uint8Array>>> {
  const made: Partial<Record<Ext, Uint8Array>> = {}
  await Promise.all(
    (Object.entries(MADE) as [Ext, NonNullable<(typeof MADE)[Ext]>][]).map(async ([ext, [from, filter]]) => {
      made[ext] = await saved(residents, dir, { ext: from, bytes: FLAT[from] }, filter, ext)
    }),
  )
  const { fodt, fods, fodp } = FLAT
  const html = `<!doctype html><html><head><title>x</title></head><body><h1>${WORDS}</h1></body></html>`
  return {
    ...made,
    fodt,
    fods,
    fodp,
    xlsb: xlsb(WORDS),
    txt: Buffer.from(`${WORDS}\n`),
    csv: Buffer.from(`${WORDS},42.5\nb,2\n`),
    tsv: Buffer.from(`${WORDS}\t42.5\nb\t2\n`),
    html: Buffer.from(html),
    xhtml: Buffer.from(`<?xml version="1.0"?>${html.replace('<html>', '<html xmlns="http://www.w3.org/1999/xhtml">')}`),
    emf: emf(),
    wmf: wmf(),
    pages: pages(WORDS),
    numbers: numbers(WORDS, 42.5),
    key: keynote(WORDS),
    vsdx: vsdx(WORDS),
    vsd: vsd(WORDS),
    wpd: wpd(WORDS),
    wps: wps(WORDS),
    pub: pub(WORDS),
    cdr: cdr(),
  }
}
