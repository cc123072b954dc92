/** A picture that came as text becomes the cover of a book. It is looked at by its first bytes only; calibre opens it. */
import type { Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import { putFile } from '../kit/hop-files.ts'

const KINDS = { jpg: 'ffd8ff', png: '89504e470d0a1a0a' }

/** Answers the name of the picture, where there is one. */
export async function putCover(work: Pick<Work, 'dir'>, text: string | undefined): Promise<string | undefined> {
  if (text === undefined) return undefined
  const bytes = Buffer.from(text.replace(/^data:[^,]*,/, ''), 'base64')
  const [kind] = Object.entries(KINDS).find(([, sign]) => bytes.toString('hex', 0, 8).startsWith(sign)) ?? []
  if (kind === undefined) throw new Failure('processing_failed', 'The option ebook_cover holds no JPEG or PNG picture.')
  const name = `cover.${kind}`
  await putFile(work, name, bytes)
  return name
}
