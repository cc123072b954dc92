/**
 * A PDF made into another PDF: pages chosen and turned, protection given or taken, metadata and active content removed,
 * PDF/A. qpdf does what leaves the pages as they are; only what needs them written anew goes through Ghostscript.
 */
import { randomBytes } from 'node:crypto'
import type { Engine, Work } from '../catalog/engine.ts'
import { options, type Values } from '../catalog/option.ts'
import * as pdf from '../catalog/vocabulary/pdf.ts'
import { Failure } from '../core/errors.ts'
import type { JsonObject } from '../core/task.ts'
import { rewriteArgs } from './ghostscript/args.ts'
import { GHOSTSCRIPT, ghostscript } from './ghostscript/run.ts'
import { calmBookmarks } from './pdf-tools/bookmarks.ts'
import { ACTIVE, METADATA, removeAttachments, removeEntries } from './pdf-tools/catalog.ts'
import { checkComplete, checkSizes, metadataOf, OPENING, openPdf, type Pdf } from './pdf-tools/document.ts'
import { qpdf } from './pdf-tools/qpdf.ts'

const toolOptions = options({
  pdf_pages: pdf.pdf_pages,
  pdf_rotate: pdf.pdf_rotate,
  pdf_password: pdf.pdf_password,
  pdf_remove_password: pdf.pdf_remove_password,
  pdf_new_password: pdf.pdf_new_password,
  pdf_owner_password: pdf.pdf_owner_password,
  pdf_allow_print: pdf.pdf_allow_print,
  pdf_allow_copy: pdf.pdf_allow_copy,
  pdf_allow_change: pdf.pdf_allow_change,
  pdf_a: pdf.pdf_a,
  pdf_version: pdf.pdf_version,
  pdf_sanitize: pdf.pdf_sanitize,
  pdf_grayscale: pdf.pdf_grayscale,
  strip: pdf.pdf_strip_unless_archive,
  pdf_linearize: pdf.pdf_linearize,
})
type Job = Work<typeof toolOptions>
export type Wishes = Values<typeof toolOptions>

/** What protects the result: nothing, what protected the input, or something new. */
export type Protection = { by: 'nothing' | 'the same' } | { by: 'new'; encrypt: JsonObject }

export function protectionOf(wishes: Wishes, encrypted: boolean): Protection {
  const { pdf_new_password, pdf_owner_password, pdf_allow_print, pdf_allow_copy, pdf_allow_change } = wishes
  if (wishes.pdf_a !== 'none' || wishes.pdf_remove_password) return { by: 'nothing' }
  const restricted = !(pdf_allow_print && pdf_allow_copy && pdf_allow_change)
  if (pdf_new_password === undefined && pdf_owner_password === undefined && !restricted)
    return { by: encrypted ? 'the same' : 'nothing' }
  const encrypt = {
    // Whoever needed a password to open it needs one still.
    userPassword: pdf_new_password ?? (encrypted ? (wishes.pdf_password ?? '') : ''),
    // Without one of its own anybody who opens the document could lift the restrictions.
    ownerPassword: pdf_owner_password ?? randomBytes(24).toString('base64url'),
    '256bit': {
      ...(!pdf_allow_print && { print: 'none' }),
      ...(!pdf_allow_copy && { extract: 'n' }),
      ...(!pdf_allow_change && { modify: 'none' }),
    },
  }
  return { by: 'new', encrypt }
}

export const lastJob = (wishes: Wishes, protection: Protection): JsonObject => ({
  ...(wishes.pdf_rotate !== '0' && { rotate: `+${wishes.pdf_rotate}` }),
  ...(wishes.pdf_linearize && { linearize: '' }),
  ...(versionOf(wishes) !== null && { minVersion: versionOf(wishes) }),
  ...(protection.by === 'nothing' && { decrypt: '' }),
  ...(protection.by === 'the same' && { encryptionFilePassword: wishes.pdf_password ?? '' }),
  ...(protection.by === 'new' && { encrypt: protection.encrypt }),
})

/** A newer one can hold what an older one holds; an older one has to be written. */
const versionOf = ({ pdf_version }: Wishes): string | null => (pdf_version === 'keep' ? null : pdf_version)
const isOlder = (wishes: Wishes, { version }: Pdf): boolean => (versionOf(wishes) ?? version) < version

async function convert(work: Job): Promise<readonly string[]> {
  const wishes = work.options
  const source = await openPdf(work, wishes)
  checkSizes(source.sizes)
  let at = source.name
  if (wishes.pdf_a !== 'none' || wishes.pdf_sanitize || wishes.pdf_grayscale || isOlder(wishes, source))
    at = await rewrite(work, source)
  if (wishes.strip) {
    await removeEntries(work, at, 'stripped.pdf', METADATA)
    at = 'stripped.pdf'
  }
  const protection = protectionOf(wishes, source.encrypted)
  const args = ([input]: readonly [string, ...string[]]) =>
    protection.by === 'the same' ? [`--copy-encryption=${input}`] : []
  await qpdf(work, { from: at, to: 'out.pdf', job: lastJob(wishes, protection), args })
  if (wishes.pdf_a !== 'none') await checkArchive(work, wishes.pdf_a)
  return ['out.pdf']
}

/** The pages written anew by Ghostscript; nothing but what it understands gets into the new document. */
async function rewrite(work: Job, source: Pdf): Promise<string> {
  const { pdf_a, pdf_sanitize: inert, pdf_grayscale: gray } = work.options
  const archive = pdf_a === 'none' ? null : pdf_a
  const from = archive !== null || inert ? await removeAttachments(work, source.name) : source.name
  const wish = { archive, inert, gray, version: versionOf(work.options) }
  await ghostscript(work, (inputs) => rewriteArgs(wish, from ?? inputs[0], 'rewritten.pdf'), { pages: source.pages })
  await checkComplete(work, 'rewritten.pdf', source)
  if (archive === null && !inert) return 'rewritten.pdf'
  const calm = await calmBookmarks(work, 'rewritten.pdf', inert ? ['/GoTo'] : ['/GoTo', '/URI'])
  if (!inert) return calm
  await removeEntries(work, calm, 'inert.pdf', ACTIVE)
  return 'inert.pdf'
}

/** What calls itself PDF/A must at least say so in the words that readers look for. */
async function checkArchive(work: Job, asked: string): Promise<void> {
  const metadata = await metadataOf(work, 'out.pdf')
  const [, part] = /pdfaid:part\s*(?:=\s*['"]|>)\s*(\d)/.exec(metadata) ?? []
  if (part === asked.charAt(0)) return
  throw new Failure(
    'processing_failed',
    `"${work.input.filename}" has something in it that PDF/A-${asked} does not allow.`,
  )
}

export const pdfTools: Engine = {
  id: 'pdf-tools',
  title: 'PDF tools (qpdf, Ghostscript)',
  tools: [...OPENING, GHOSTSCRIPT],
  can: [{ does: 'convert', from: ['pdf'], to: ['pdf'], cost: 1, options: toolOptions, run: convert }],
}
