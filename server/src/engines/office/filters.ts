/** What LibreOffice reads and writes, and its own names for how. Data only. */
import type { Ext } from '../../catalog/formats.ts'

export type Kind = 'text' | 'sheet' | 'slides' | 'drawing'

/** What each kind is read from. */
export const SOURCES = {
  text: ['docx', 'doc', 'dotx', 'dot', 'docm', 'rtf', 'odt', 'ott', 'fodt', 'txt', 'wpd', 'wps', 'pages'],
  sheet: ['xlsx', 'xls', 'xlsm', 'xlsb', 'ods', 'ots', 'fods', 'csv', 'tsv', 'numbers'],
  slides: ['pptx', 'ppt', 'pps', 'ppsx', 'pptm', 'odp', 'otp', 'fodp', 'key'],
  drawing: ['odg', 'emf', 'wmf', 'vsdx', 'vsd', 'pub', 'cdr'],
} as const satisfies Record<Kind, readonly Ext[]>

export const PAGES = ['html', 'xhtml'] as const satisfies readonly Ext[]

/** The filter that writes a format, by what is written. */
export const FILTERS: Readonly<Record<Kind, Readonly<Partial<Record<Ext, string>>>>> = {
  text: {
    pdf: 'writer_pdf_Export',
    docx: 'MS Word 2007 XML',
    doc: 'MS Word 97',
    odt: 'writer8',
    rtf: 'Rich Text Format',
    txt: 'Text (encoded)',
    html: 'HTML (StarWriter)',
  },
  sheet: {
    pdf: 'calc_pdf_Export',
    xlsx: 'Calc MS Excel 2007 XML',
    xls: 'MS Excel 97',
    ods: 'calc8',
    fods: 'OpenDocument Spreadsheet Flat XML',
    csv: 'Text - txt - csv (StarCalc)',
    tsv: 'Text - txt - csv (StarCalc)',
    html: 'HTML (StarCalc)',
  },
  slides: {
    pdf: 'impress_pdf_Export',
    pptx: 'Impress MS PowerPoint 2007 XML',
    ppt: 'MS PowerPoint 97',
    odp: 'impress8',
  },
  drawing: { pdf: 'draw_pdf_Export', svg: 'draw_svg_Export', png: 'draw_png_Export', odg: 'draw8' },
}

/** LibreOffice's own format of each kind. */
export const OPEN_DOCUMENT = { text: 'odt', sheet: 'ods', slides: 'odp', drawing: 'odg' } as const satisfies Record<
  Kind,
  Ext
>

/** What other programs wrote, read by libraries of their own: see way.ts. */
export const IMPORTED: readonly Ext[] = [
  ...(['wpd', 'wps', 'pages', 'numbers', 'key', 'vsdx', 'vsd', 'pub', 'cdr', 'emf', 'wmf'] as const),
]

export function kindOf(ext: Ext): Kind {
  const kinds = Object.entries(SOURCES) as [Kind, readonly Ext[]][]
  return kinds.find(([, exts]) => exts.includes(ext))?.[0] ?? 'text'
}

/** Packed by ZIP: what they unpack to is looked at first. */
export const PACKED: readonly Ext[] = [
  ...(['docx', 'dotx', 'docm', 'odt', 'ott', 'xlsx', 'xlsm', 'xlsb', 'ods', 'ots'] as const),
  ...(['pptx', 'ppsx', 'pptm', 'odp', 'otp', 'odg'] as const),
  ...(['vsdx', 'cdr', 'pages', 'numbers', 'key'] as const),
]
