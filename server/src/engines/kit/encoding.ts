/** In which code a text is written, as far as its first bytes tell. Many programs read UTF-8 only, and must be helped. */
import { open } from 'node:fs/promises'

const MARKS: readonly (readonly [bytes: string, code: string])[] = [
  ['fffe', 'UTF-16LE'],
  ['feff', 'UTF-16BE'],
]
/** What a page may say of itself; any other word is not passed on. */
const KNOWN =
  /^(?:iso-8859-\d{1,2}|windows-(?:125[0-8]|874)|koi8-[ru]|macintosh|shift_jis|euc-(?:jp|kr)|gb2312|gbk|gb18030|big5|us-ascii)$/i
const SAID = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,20})|<\?xml[^>]{0,100}encoding\s*=\s*["']([\w-]{1,20})/i
/** What old texts of the West are in, and every byte means something in it. */
const USUAL = 'WINDOWS-1252'

const isUtf8 = (head: Buffer): boolean => {
  try {
    // The last letter may be cut in half.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/** The name of its code, as iconv and TextDecoder know it, or null when it is UTF-8. */
export function codeOf(head: Buffer): string | null {
  const [, mark] = MARKS.find(([bytes]) => head.subarray(0, 2).toString('hex') === bytes) ?? []
  if (mark !== undefined) return mark
  if (isUtf8(head)) return null
  const [, page, declared] = SAID.exec(head.toString('latin1', 0, 2048)) ?? []
  const said = page ?? declared ?? ''
  return KNOWN.test(said) ? said.toUpperCase() : USUAL
}

const HEAD = 65_536

export async function codeOfFile(path: string): Promise<string | null> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0)
  return codeOf(buffer.subarray(0, bytesRead))
}
