/** Documents of Pages, Numbers and Keynote with a password: nothing here opens them, and they say so themselves. */
import type { Ext } from '../../catalog/formats.ts'
import { Failure } from '../../core/errors.ts'
import type { PackedEntry } from '../kit/packed.ts'

const APPLE: readonly Ext[] = ['pages', 'numbers', 'key']
/** Up to 2009 their parts are packed in a way that no ZIP knows; since then the password's hint lies beside them. */
const isLocked = ({ name, method }: PackedEntry): boolean =>
  (method !== 0 && method !== 8) || /^(?:[^/]+\/)?\.iwp(?:v2|h)$/.test(name)

export function checkApple(filename: string, format: Ext, entries: readonly PackedEntry[]): void {
  if (!APPLE.includes(format) || !entries.some(isLocked)) return
  throw new Failure(
    'processing_failed',
    `"${filename}" is protected by a password, and such documents of Apple's cannot be opened here. Save it without one first.`,
  )
}
