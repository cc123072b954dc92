/** The wishes about a PDF in LibreOffice's words, and what is done to it afterwards. */
import { randomBytes } from 'node:crypto'
import type { Values } from '../../catalog/option.ts'
import { option, options } from '../../catalog/option.ts'
import * as office from '../../catalog/vocabulary/office.ts'
import * as pdf from '../../catalog/vocabulary/pdf.ts'
import type { JsonObject } from '../../core/task.ts'

const { document_password, pdf_version, pdf_image_quality, pdf_image_lossless, pdf_image_dpi } = office

type Said = { label?: string; hint: string }
/** As for PDFs that come as such, but there is nothing to be removed here. */
const unprotected = { pdf_a: ['none'] } as const
const password = ({ label = '', hint }: Said) =>
  option.string({ label, hint, maxLength: 127, secret: true, more: true, agrees: unprotected })
const permission = ({ label = '', hint }: Said) =>
  option.boolean({ label, hint, default: true, more: true, agrees: unprotected })

export const toPdf = {
  document_password,
  pdf_pages: pdf.pdf_pages,
  pdf_a: pdf.pdf_a,
  pdf_version,
  pdf_tagged: office.pdf_tagged,
  pdf_bookmarks: office.pdf_bookmarks,
  pdf_image_quality,
  pdf_image_lossless,
  pdf_image_dpi,
  pdf_new_password: password(pdf.pdf_new_password),
  pdf_owner_password: password(pdf.pdf_owner_password),
  pdf_allow_print: permission(pdf.pdf_allow_print),
  pdf_allow_copy: permission(pdf.pdf_allow_copy),
  pdf_allow_change: permission(pdf.pdf_allow_change),
}

const plain = options(toPdf)
export type PdfWishes = Values<typeof plain>

const VERSIONS = { none: 0, '1b': 1, '2b': 2, '3b': 3 } as const

type Property = string | number | boolean

/** LibreOffice reads its settings from JSON that tells the type of each. */
export const settings = (properties: Readonly<Record<string, Property>>): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [name, { type: TYPES[typeof value], value: String(value) }]),
    ),
  )
const TYPES: Readonly<Record<string, string>> = { string: 'string', number: 'long', boolean: 'boolean' }

export const pdfSettings = (wishes: PdfWishes, more: Readonly<Record<string, Property>> = {}): string =>
  settings({
    ...(wishes.pdf_pages !== undefined && { PageRange: wishes.pdf_pages.replaceAll(/\s/g, '') }),
    SelectPdfVersion: wishes.pdf_a === 'none' ? (wishes.pdf_version === '1.5' ? 15 : 16) : VERSIONS[wishes.pdf_a],
    UseTaggedPDF: wishes.pdf_tagged,
    ExportBookmarks: wishes.pdf_bookmarks,
    UseLosslessCompression: wishes.pdf_image_lossless,
    // LibreOfficeKit would take 80.
    Quality: wishes.pdf_image_quality,
    ReduceImageResolution: true,
    MaxImageResolution: wishes.pdf_image_dpi,
    ...more,
  })

/** Newer ones than LibreOffice writes: what 1.6 has, they have too. */
const NEWER: readonly string[] = ['1.7', '2.0']

/** What is left to qpdf; null when nothing is. */
export function finishing(wishes: PdfWishes): JsonObject | null {
  const encrypt = encryption(wishes)
  const newer = NEWER.includes(wishes.pdf_version)
  if (encrypt === null && !newer) return null
  return { ...(encrypt && { encrypt }), ...(newer && { minVersion: wishes.pdf_version }) }
}

/** For qpdf, whose cipher is stronger than LibreOffice's; null when nothing is to be protected. */
function encryption(wishes: PdfWishes): JsonObject | null {
  const { pdf_new_password, pdf_owner_password, pdf_allow_print, pdf_allow_copy, pdf_allow_change } = wishes
  const free = pdf_allow_print && pdf_allow_copy && pdf_allow_change
  if (pdf_new_password === undefined && pdf_owner_password === undefined && free) return null
  return {
    userPassword: pdf_new_password ?? '',
    // Without one of its own anybody who opens the document could lift the restrictions.
    ownerPassword: pdf_owner_password ?? randomBytes(24).toString('base64url'),
    '256bit': {
      ...(!pdf_allow_print && { print: 'none' }),
      ...(!pdf_allow_copy && { extract: 'n' }),
      ...(!pdf_allow_change && { modify: 'none' }),
    },
  }
}
