/** Options of office documents: texts, spreadsheets and presentations. */
import { option } from '../option.ts'

// Opening and protecting

export const document_password = option.string({
  label: 'Password',
  hint: 'Opens a document that is protected by a password.',
  maxLength: 127,
  secret: true,
})

export const document_new_password = option.string({
  label: 'New password',
  hint: 'Whoever opens the result needs this password.',
  maxLength: 127,
  secret: true,
})

// To PDF

export const pdf_version = option.choice(
  { '1.5': 'PDF 1.5', '1.6': 'PDF 1.6', '1.7': 'PDF 1.7', '2.0': 'PDF 2.0' },
  {
    label: 'Version of PDF',
    hint: 'Older ones open in older programs. A password needs 1.7.',
    default: '1.6',
    more: true,
    agrees: { pdf_a: ['none'] },
  },
)

export const pdf_image_quality = option.integer({
  label: 'Quality of pictures',
  hint: 'From 1, small, to 100, best.',
  min: 1,
  max: 100,
  default: 90,
  agrees: { pdf_image_lossless: [false] },
})

export const pdf_image_lossless = option.boolean({
  label: 'Pictures without loss',
  hint: 'Keeps every pixel of pictures; the result is larger.',
  default: false,
  more: true,
})

export const pdf_image_dpi = option.integer({
  label: 'Resolution of pictures',
  hint: 'Pictures with more dots per inch lose those over it.',
  units: 'dpi',
  min: 20,
  max: 1200,
  default: 300,
})

export const pdf_bookmarks = option.boolean({
  label: 'Bookmarks',
  hint: 'Headings, slides and sheets become bookmarks.',
  default: true,
})

export const pdf_tagged = option.boolean({
  label: 'Tagged',
  hint: 'Tells readers aloud and other programs what is a heading, a table and so on. PDF/A is always tagged.',
  default: true,
  more: true,
  agrees: { pdf_a: ['none'] },
})

// Presentations

export const slides_notes = option.choice(
  { none: 'No', after: 'After the slides', only: 'Instead of the slides' },
  { label: 'Notes', hint: 'Whether the pages with the notes are put into the PDF.', default: 'none' },
)

export const slides_hidden = option.boolean({
  label: 'Hidden slides',
  hint: 'Also shows the slides that are hidden.',
  default: false,
})

// Spreadsheets

export const sheet = option.integer({
  label: 'Sheet',
  hint: 'The number of the only sheet wanted; 1 is the first.',
  min: 1,
  max: 10_000,
})

export const sheet_fit = option.choice(
  { none: 'As the document says', width: 'All columns on one page', page: 'Each sheet on one page' },
  {
    label: 'Fit',
    hint: 'Whether sheets are made smaller to fit onto pages, or pages larger to hold a sheet.',
    default: 'none',
  },
)

// Tables as text

const DELIMITERS = { comma: 'Comma', semicolon: 'Semicolon', tab: 'Tab', pipe: 'Vertical bar', colon: 'Colon' } as const
const ENCODINGS = {
  'utf-8': 'Unicode (UTF-8)',
  'utf-16': 'Unicode (UTF-16)',
  'windows-1250': 'Central Europe (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'windows-1252': 'Western (Windows-1252)',
  'iso-8859-1': 'Western (ISO 8859-1)',
  'iso-8859-15': 'Western with euro (ISO 8859-15)',
  'shift-jis': 'Japanese (Shift JIS)',
  gb18030: 'Chinese (GB 18030)',
  'euc-kr': 'Korean (EUC-KR)',
} as const
const QUOTES = { double: '"', single: "'" } as const

export const csv_delimiter = option.choice(DELIMITERS, {
  label: 'Delimiter',
  hint: 'What stands between two values.',
  default: 'comma',
})

export const csv_input_delimiter = option.choice(
  { auto: 'Find out', ...DELIMITERS },
  { label: 'Delimiter', hint: 'What stands between two values of the text that is read.', default: 'auto' },
)

export const csv_encoding = option.choice(ENCODINGS, {
  label: 'Encoding',
  hint: 'How letters are written as bytes.',
  default: 'utf-8',
})

export const csv_input_encoding = option.choice(
  { auto: 'Find out', ...ENCODINGS },
  { label: 'Encoding', hint: 'How letters are written in the text that is read.', default: 'auto' },
)

export const csv_quote = option.choice(QUOTES, {
  label: 'Quotes',
  hint: 'What stands around a value that holds a delimiter or a line break.',
  default: 'double',
  more: true,
})

export const csv_input_quote = option.choice(QUOTES, {
  label: 'Quotes',
  hint: 'What stands around values in the text that is read.',
  default: 'double',
  more: true,
})

export const csv_quote_all = option.boolean({
  label: 'Quote all texts',
  hint: 'Puts quotes around every text, not only where they are needed.',
  default: false,
  more: true,
})

export const csv_formatted = option.boolean({
  label: 'As shown',
  hint: 'Writes numbers and dates as the sheet shows them, or else as they are.',
  default: true,
  more: true,
})

export const text_encoding = option.choice(ENCODINGS, {
  label: 'Encoding',
  hint: 'How letters are written as bytes.',
  default: 'utf-8',
  more: true,
})

export type Delimiter = keyof typeof DELIMITERS
export type Encoding = keyof typeof ENCODINGS
export type Quote = keyof typeof QUOTES
