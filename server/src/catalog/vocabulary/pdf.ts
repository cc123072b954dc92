/** Options of PDF documents, shared by every engine that reads, shows or changes them. */
import { option } from '../option.ts'

// Reading

export const pdf_password = option.string({
  label: 'Password',
  hint: 'Opens a document that is protected by a password.',
  maxLength: 127,
  secret: true,
  everywhere: true,
})

export const pdf_pages = option.string({
  label: 'Pages',
  hint: 'Which pages, in which order: like 1-3,5 or 7- for the rest. Without it, all.',
  pattern: /\s*\d{1,6}\s*(-\s*(\d{1,6})?\s*)?(,\s*\d{1,6}\s*(-\s*(\d{1,6})?\s*)?)*/,
  expects: 'pages like 1-3,5',
})

// To pictures and text

export const pdf_dpi = option.integer({
  label: 'Resolution',
  hint: 'Dots per inch; 150 is good for screens, 300 for print.',
  units: 'dpi',
  min: 10,
  max: 1200,
  default: 150,
})

export const pdf_transparent = option.boolean({
  label: 'Transparent',
  hint: 'Leaves the paper out: only what is printed on it is drawn.',
  default: false,
})

export const pdf_text_layout = option.choice(
  { reading: 'In reading order', page: 'As on the page' },
  { label: 'Layout', hint: 'Whether columns and tables keep their place on the page.', default: 'reading' },
)

export const pdf_text_page_breaks = option.boolean({
  label: 'Page breaks',
  hint: 'Puts a form feed between pages.',
  default: false,
  more: true,
})

export const pdf_html_layout = option.choice(
  { page: 'As on the page', flow: 'As running text' },
  { label: 'Layout', hint: 'Whether every line keeps its place on the page.', default: 'page' },
)

// Changing

export const pdf_grayscale = option.boolean({ label: 'Grayscale', hint: 'Takes the colours away.', default: false })

export const pdf_rotate = option.choice(
  { '0': 'No', '90': 'To the right', '180': 'Upside down', '270': 'To the left' },
  { label: 'Rotate', hint: 'Turns every page, in degrees clockwise.', default: '0' },
)

export const pdf_linearize = option.boolean({
  label: 'Fast web view',
  hint: 'Orders the file so that its first page shows before all of it is loaded.',
  default: false,
  more: true,
})

export const pdf_strip = option.boolean({
  label: 'Remove metadata',
  hint: 'Removes title, author, dates and the like from the document.',
  default: false,
})

/** PDF/A must say what it is, and does so in its metadata. */
export const pdf_strip_unless_archive = option.boolean({ ...pdf_strip, default: false, agrees: { pdf_a: ['none'] } })

export const pdf_sanitize = option.boolean({
  label: 'Remove active content',
  hint: 'Writes the document anew without scripts, links, form fields and attached files; pages look the same.',
  default: false,
})

export const pdf_a = option.choice(
  { none: 'No', '1b': 'PDF/A-1b', '2b': 'PDF/A-2b', '3b': 'PDF/A-3b' },
  {
    label: 'For archives',
    hint: 'Makes PDF/A: fonts and colours are all in the file. Attached files, scripts and passwords are removed.',
    default: 'none',
  },
)

export const pdf_version = option.choice(
  {
    keep: 'As it is',
    ...{ '1.3': 'PDF 1.3', '1.4': 'PDF 1.4', '1.5': 'PDF 1.5', '1.6': 'PDF 1.6', '1.7': 'PDF 1.7', '2.0': 'PDF 2.0' },
  },
  {
    label: 'Version of PDF',
    hint: 'Older ones open in older programs: then pages are written anew, and form fields become plain parts of them. A password needs 1.7.',
    default: 'keep',
    more: true,
    agrees: { pdf_a: ['none'] },
  },
)

// Protection

export const pdf_remove_password = option.boolean({
  label: 'Remove the password',
  hint: 'The result opens without a password and without restrictions; needs the one it has now.',
  default: false,
})

/** A protected document is no PDF/A, and one cannot take protection away and give it at once. */
const unprotected = { pdf_a: ['none'], pdf_remove_password: [false] } as const

export const pdf_new_password = option.string({
  label: 'New password',
  hint: 'Whoever opens the result needs this password (AES-256).',
  maxLength: 127,
  secret: true,
  agrees: unprotected,
})

export const pdf_owner_password = option.string({
  label: 'Owner password',
  hint: 'Lifts the restrictions below. Without it nobody can.',
  maxLength: 127,
  secret: true,
  more: true,
  agrees: unprotected,
})

const allow = (label: string, hint: string) =>
  option.boolean({ label, hint, default: true, more: true, agrees: unprotected })

export const pdf_allow_print = allow('May be printed', 'Viewers that heed such restrictions allow printing.')
export const pdf_allow_copy = allow(
  'May be copied',
  'Viewers that heed such restrictions allow copying text and images.',
)
export const pdf_allow_change = allow('May be changed', 'Viewers that heed such restrictions allow changes and notes.')

// Compressing

export const pdf_compress_profile = option.choice(
  {
    screen: 'Screen, smallest',
    ebook: 'E-book, good',
    printer: 'Printer, better',
    prepress: 'Press, best',
    lossless: 'Without loss',
  },
  {
    label: 'Profile',
    hint: 'How much detail pictures keep. All but the last turn form fields into plain parts of the page.',
    default: 'ebook',
  },
)

const LOSSY = { pdf_compress_profile: ['screen', 'ebook', 'printer', 'prepress'] } as const

export const pdf_image_dpi = option.integer({
  label: 'Resolution of pictures',
  hint: 'Pictures with more dots per inch lose those over it. Without it, as the profile says.',
  units: 'dpi',
  min: 20,
  max: 1200,
  agrees: LOSSY,
})

export const pdf_image_quality = option.integer({
  label: 'Quality of pictures',
  hint: 'From 1, small, to 100, best. Without it, as the profile says.',
  min: 1,
  max: 100,
  agrees: LOSSY,
})

export const pdf_max_filesize = option.size({
  label: 'Largest size',
  hint: 'The result is not bigger than this, or the task fails and tells the smallest reachable size.',
  units: 'KB',
  unit: 'KB',
  min: 100,
})
