/** Takes whole entries out of a PDF's trailer and catalog, by qpdf's JSON. All that only they led to goes with them. */
import type { Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/task.ts'
import { putFile, removeMade } from '../kit/hop-files.ts'
import { qpdf } from './qpdf.ts'

/** Entries that tell who made the document, when and with what. */
export const METADATA = { trailer: ['/Info'], catalog: ['/Metadata', '/PieceInfo'] } as const
/** Entries that act, or carry other files. */
export const ACTIVE = {
  trailer: [],
  catalog: ['/Names', '/OpenAction', '/AA', '/AcroForm', '/AF', '/Collection', '/JavaScript', '/Perms', '/Legal'],
} as const

export interface Entries {
  trailer: readonly string[]
  catalog: readonly string[]
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The two halves of qpdf's answer: what it says of itself, and the objects. */
export function objectsIn(text: string): [JsonObject, JsonObject] {
  const answer: Json = JSON.parse(text)
  const [about, objects] = isObject(answer) && Array.isArray(answer.qpdf) ? answer.qpdf : []
  if (!isObject(about) || !isObject(objects)) throw new Failure('processing_failed', 'The document is damaged.')
  return [about, objects]
}

export function entriesOf(objects: JsonObject, name: string): JsonObject {
  const object = objects[name]
  const value = isObject(object) ? object.value : undefined
  if (!isObject(value)) throw new Failure('processing_failed', 'The document is damaged: it has no catalog.')
  return value
}

export const without = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

/** Reads `from`, a file in the work folder, or the input where there is none; writes `to`. */
export async function removeEntries(work: Work, from: string | undefined, to: string, gone: Entries): Promise<void> {
  const show = async (object: string): Promise<[JsonObject, JsonObject]> =>
    objectsIn((await qpdf(work, { from, job: { json: '2', jsonKey: ['qpdf'], jsonObject: [object] } })).stdout)
  const trailer = entriesOf((await show('trailer'))[1], 'trailer')
  const root = String(trailer['/Root'])
  const [about, objects] = await show(root.replace(/^(\d+) (\d+) R$/, '$1,$2'))
  const catalog = entriesOf(objects, `obj:${root}`)
  const changed = {
    trailer: { value: without(trailer, gone.trailer) },
    [`obj:${root}`]: { value: without(catalog, gone.catalog) },
  }
  await putFile(work, 'update.json', JSON.stringify({ version: 2, qpdf: [about, changed] }))
  await qpdf(work, { from, to, job: { updateFromJson: 'update.json' } })
  await removeMade(work, 'update.json')
}

/** Names of attached files are the document's own words: they go to qpdf in its job. Answers what to read from then on. */
export async function removeAttachments(work: Work, from: string | undefined): Promise<string | undefined> {
  const { stdout } = await qpdf(work, { from, job: { json: '2', jsonKey: ['attachments'] } })
  const answer: Json = JSON.parse(stdout)
  const names = isObject(answer) && isObject(answer.attachments) ? Object.keys(answer.attachments) : []
  if (names.length === 0) return from
  await qpdf(work, { from, to: 'unattached.pdf', job: { removeAttachment: names } })
  return 'unattached.pdf'
}
