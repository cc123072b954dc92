/**
 * LibreOffice: texts, spreadsheets, presentations and drawings as PDF and as one another. The documents go through a warm
 * LibreOffice that forks for each (office/zygote.ts), or one started for it alone (office/way.ts); what they are allowed
 * to reach is the same.
 */
import { open } from 'node:fs/promises'
import type { Capability, Engine, Work } from '../catalog/engine.ts'
import type { Ext } from '../catalog/formats.ts'
import { type OptionSet, options } from '../catalog/option.ts'
import * as vocabulary from '../catalog/vocabulary/office.ts'
import * as pdf from '../catalog/vocabulary/pdf.ts'
import { checkPacked, packedEntries } from './kit/packed.ts'
import { piecesOf, piecesOfFile } from './kit/unpacked.ts'
import { checkApple } from './office/apple.ts'
import { checkCells, MOST_READ } from './office/cells.ts'
import { FILTERS, type Kind, kindOf, PACKED, PAGES, SOURCES } from './office/filters.ts'
import { fontsAskedFor } from './office/fonts.ts'
import { missingFonts } from './office/installed.ts'
import { isLockedHere, lock } from './office/locking.ts'
import { finishing, type PdfWishes, pdfSettings, toPdf } from './office/pdf.ts'
import { prepareSheets } from './office/sheets.ts'
import { delimiterOf, encodingOf, tableToRead, tableToWrite, textToRead, textToWrite } from './office/texts.ts'
import { convert, type Hop, type Order, SOFFICE } from './office/way.ts'
import { LIBREOFFICE } from './office/zygote.ts'
import { OPENING, openPdf } from './pdf-tools/document.ts'
import { qpdf } from './pdf-tools/qpdf.ts'

const { document_password, document_new_password, slides_notes, slides_hidden, sheet, sheet_fit } = vocabulary
const { csv_delimiter, csv_encoding, csv_quote, csv_quote_all, csv_formatted, text_encoding } = vocabulary
const { csv_input_delimiter, csv_input_encoding, csv_input_quote } = vocabulary

const reading = { csv_input_delimiter, csv_input_encoding, csv_input_quote }
const writing = { csv_encoding, csv_quote, csv_quote_all, csv_formatted }

const ofText = options(toPdf)
const ofSheet = options({ ...toPdf, sheet, sheet_fit })
const ofTable = options({ ...toPdf, sheet_fit, ...reading })
const ofSlides = options({ ...toPdf, slides_notes, slides_hidden })
const opening = options({ document_password })
const protecting = options({ document_password, document_new_password })
const asText = options({ document_password, text_encoding })
const asTabbed = options({ document_password, ...writing, sheet })
const asTable = options({ ...asTabbed, csv_delimiter })
const tables = options(reading)
const protectedTables = options({ ...reading, document_new_password })
const tableAsTabbed = options({ ...reading, ...writing })
const tableAsTable = options({ ...tableAsTabbed, csv_delimiter })
const ofPdf = options({ pdf_password: pdf.pdf_password, pdf_pages: pdf.pdf_pages })

type Opening = { document_password?: string | undefined }
type Reading = Pick<Work<typeof ofTable>['options'], keyof typeof reading>

async function headOf(path: string): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(65_536), 0, 65_536, 0)
  return buffer.subarray(0, bytesRead)
}

const isZip = async (path: string): Promise<boolean> => (await headOf(path)).toString('latin1', 0, 2) === 'PK'

/** What must be said about how the input is read, once nothing speaks against reading it. */
async function read({ input }: Hop, wishes: Opening & Partial<Reading>): Promise<Pick<Order, 'password' | 'infilter'>> {
  const { format, path } = input
  const password = wishes.document_password
  // A protected one is packed inside something else.
  if (PACKED.includes(format) && (await isZip(path))) {
    const entries = await checkPacked(input)
    checkApple(input.filename, format, entries)
    const content = entries.find(({ name }) => name === 'content.xml')
    if (content && kindOf(format) === 'sheet') await checkCells(input.filename, piecesOf(path, content, MOST_READ))
  }
  if (format === 'fods') await checkCells(input.filename, piecesOfFile(path, MOST_READ))
  if (format === 'csv' || format === 'tsv') {
    const head = await headOf(path)
    const { csv_input_quote: quote = 'double', csv_input_delimiter: asked, csv_input_encoding: said = 'auto' } = wishes
    const encoding = said === 'auto' ? encodingOf(head) : said
    const found = asked === undefined || asked === 'auto' ? undefined : asked
    const delimiter = found ?? (format === 'tsv' ? 'tab' : delimiterOf(head, encoding, quote))
    return { infilter: `${FILTERS.sheet.csv}:${tableToRead({ delimiter, encoding, quote })}` }
  }
  if (format === 'txt') {
    const encoding = encodingOf(await headOf(path))
    return encoding === 'utf-8' ? {} : { infilter: `${FILTERS.text.txt}:${textToRead(encoding)}` }
  }
  return { password }
}

const filterFor = (kind: Kind, to: Ext): string => FILTERS[kind][to] ?? ''

type PdfWork = Hop & Pick<Work, 'input'> & { options: PdfWishes }

/** Whoever asks for a font that is not here should know that the lines may break elsewhere. It is never a reason to fail. */
async function tellFonts(work: Work): Promise<void> {
  const { path, format } = work.input
  if (!PACKED.includes(format) || !(await isZip(path))) return
  try {
    const missing = await missingFonts(work, await fontsAskedFor(path, format, await packedEntries(work.input)))
    if (missing.length > 0) work.tell('missing_fonts', missing)
  } catch {
    // Then nothing is known.
  }
}

/** The document as PDF, then protected or of a newer version where that is wanted. */
async function print(work: Work & PdfWork, order: Partial<Order>, more: Parameters<typeof pdfSettings>[1] = {}) {
  const { pdf_pages } = work.options
  const made = await convert(work, {
    ...order,
    to: 'pdf',
    filter: order.filter ?? filterFor(kindOf(work.input.format), 'pdf'),
    options: pdfSettings(work.options, more),
    ...(pdf_pages !== undefined && { unsaved: `pdf_pages cannot be taken: there are no such pages as ${pdf_pages}.` }),
  })
  await tellFonts(work)
  const job = finishing(work.options)
  if (job === null) return [made]
  await qpdf(work, { from: made, to: 'finished.pdf', job })
  return ['finished.pdf']
}

async function printText(work: Work<typeof ofText>): Promise<readonly string[]> {
  return print(work, await read(work, work.options))
}

async function printSlides(work: Work<typeof ofSlides>): Promise<readonly string[]> {
  const { slides_notes: notes, slides_hidden: hidden } = work.options
  return print(work, await read(work, work.options), {
    ExportNotesPages: notes !== 'none',
    ExportOnlyNotesPages: notes === 'only',
    ExportHiddenSlides: hidden,
  })
}

async function printSheets(work: Work<typeof ofSheet> | Work<typeof ofTable>): Promise<readonly string[]> {
  const wishes = work.options
  const how = await read(work, wishes)
  const wanted = { sheet: 'sheet' in wishes ? wishes.sheet : undefined, sheet_fit: wishes.sheet_fit }
  const ready = await prepareSheets(work, wanted, how)
  const order = ready === null ? how : { from: { name: ready, format: 'fods' as const } }
  return print(work, order, { SinglePageSheets: wishes.sheet_fit === 'page' })
}

type SaveWork = Hop &
  Pick<Work, 'to'> & { options: Opening & Partial<Reading> & { document_new_password?: string | undefined } }

async function save(work: SaveWork): Promise<readonly string[]> {
  const { to, options: wishes, input } = work
  const password = wishes.document_new_password
  const made = await convert(work, {
    ...(await read(work, wishes)),
    to,
    filter: filterFor(kindOf(input.format), to),
    // Pictures go into the page, or they would be lost.
    ...(to === 'html' && kindOf(input.format) === 'text' && { options: 'EmbedImages' }),
    newPassword: isLockedHere(to) ? undefined : password,
  })
  return [password !== undefined && isLockedHere(to) ? await lock(work, made, password) : made]
}

async function saveText(work: Work<typeof asText>): Promise<readonly string[]> {
  const how = await read(work, work.options)
  return [
    await convert(work, {
      ...how,
      to: 'txt',
      filter: filterFor('text', 'txt'),
      options: textToWrite(work.options.text_encoding),
    }),
  ]
}

async function saveTable(
  work: Work<typeof asTable> | Work<typeof asTabbed> | Work<typeof tableAsTable> | Work<typeof tableAsTabbed>,
): Promise<readonly string[]> {
  const { options: wishes, to } = work
  const delimiter = to === 'tsv' || !('csv_delimiter' in wishes) ? 'tab' : wishes.csv_delimiter
  const wanted = {
    delimiter,
    encoding: wishes.csv_encoding,
    quote: wishes.csv_quote,
    quoteAll: wishes.csv_quote_all,
    formatted: wishes.csv_formatted,
    sheet: 'sheet' in wishes ? wishes.sheet : undefined,
  } as const
  const how = await read(work, wishes)
  const unsaved =
    wanted.sheet === undefined ? {} : { unsaved: `"${work.input.filename}" has no sheet ${wanted.sheet}.` }
  return [
    await convert(work, { ...how, to, filter: filterFor('sheet', to), options: tableToWrite(wanted), ...unsaved }),
  ]
}

/** Its words and pictures, put where they are on the page; a LibreOffice of its own, for the warm one takes it as a drawing. */
async function fromPdf(work: Work<typeof ofPdf>): Promise<readonly string[]> {
  const kind: Kind = SLIDES_OUT.includes(work.to) ? 'slides' : 'text'
  const { name } = await openPdf(work, work.options)
  const infilter = kind === 'slides' ? 'impress_pdf_import' : 'writer_pdf_import'
  const from = name === undefined ? {} : { from: { name, format: 'pdf' as const } }
  return [await convert(work, { ...from, to: work.to, filter: filterFor(kind, work.to), infilter })]
}

const way = <S extends OptionSet>(
  from: readonly Ext[],
  to: Ext,
  cost: number,
  set: S,
  run: (work: Work<S>) => Promise<readonly string[]>,
): Capability<S> => ({ does: 'convert', from: from.filter((ext) => ext !== to), to: [to], cost, options: set, run })

const TABLES: readonly Ext[] = ['csv', 'tsv']
const SHEETS = SOURCES.sheet.filter((ext) => !TABLES.includes(ext))
const SLIDES_OUT: readonly Ext[] = ['pptx', 'ppt', 'odp']

export const office: Engine = {
  id: 'office',
  title: 'LibreOffice',
  tools: [
    SOFFICE,
    { program: `${LIBREOFFICE}/libswlo.so`, debian: 'libreoffice-writer' },
    { program: `${LIBREOFFICE}/libsclo.so`, debian: 'libreoffice-calc' },
    { program: `${LIBREOFFICE}/libsdlo.so`, debian: 'libreoffice-draw' },
    { program: `${LIBREOFFICE}/../share/registry/impress.xcd`, debian: 'libreoffice-impress' },
    ...OPENING,
  ],
  can: [
    way(SOURCES.text, 'pdf', 1, ofText, printText),
    way(SOURCES.text, 'docx', 1, protecting, save),
    way(SOURCES.text, 'doc', 1, protecting, save),
    way(SOURCES.text, 'odt', 1, protecting, save),
    way(SOURCES.text, 'rtf', 1, opening, save),
    way(SOURCES.text, 'txt', 2, asText, saveText),
    way(SOURCES.text, 'html', 2, opening, save),
    way(PAGES, 'pdf', 6, ofText, printText),
    way(SHEETS, 'pdf', 1, ofSheet, printSheets),
    way(SHEETS, 'xlsx', 1, protecting, save),
    way(SHEETS, 'xls', 1, protecting, save),
    way(SHEETS, 'ods', 1, protecting, save),
    way(SHEETS, 'csv', 1, asTable, saveTable),
    way(SHEETS, 'tsv', 1, asTabbed, saveTable),
    way(SHEETS, 'html', 3, opening, save),
    way(TABLES, 'pdf', 2, ofTable, printSheets),
    way(TABLES, 'xlsx', 1, protectedTables, save),
    way(TABLES, 'xls', 1, protectedTables, save),
    way(TABLES, 'ods', 1, protectedTables, save),
    way(TABLES, 'html', 3, tables, save),
    way(TABLES, 'csv', 1, tableAsTable, saveTable),
    way(TABLES, 'tsv', 1, tableAsTabbed, saveTable),
    way(SOURCES.slides, 'pdf', 1, ofSlides, printSlides),
    way(SOURCES.slides, 'pptx', 1, protecting, save),
    way(SOURCES.slides, 'ppt', 1, opening, save),
    way(SOURCES.slides, 'odp', 1, protecting, save),
    way(SOURCES.drawing, 'pdf', 1, ofText, printText),
    way(SOURCES.drawing, 'svg', 1, opening, save),
    way(SOURCES.drawing, 'odg', 1, protecting, save),
    {
      does: 'convert',
      from: ['pdf'],
      to: ['docx', 'odt', 'doc', 'rtf', 'pptx', 'odp', 'ppt'],
      cost: 6,
      heavy: true,
      options: ofPdf,
      run: fromPdf,
    },
  ],
}
