/**
 * Names of files as a caller may give them and as we may answer them. "Always a bare name: path parts, control characters
 * and reserved names are removed." Names are metadata: nothing here becomes a path on our disk.
 */

const MAX_BYTES = 200
const NAMELESS = 'file'
/** Devices on Windows, with or without an extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i
/** Control characters, and those that turn the direction of text around to disguise an extension. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu
const LONGEST_EXTENSION = 12

/** `a.tar.gz` → `a.tar` and `gz`. A leading dot makes no extension, nor does what is too long or strange to be one. */
export const splitName = (name: string): { stem: string; ext: string } => {
  const dot = name.lastIndexOf('.')
  const ext = name.slice(dot + 1)
  if (dot <= 0 || ext.length > LONGEST_EXTENSION || !/^[A-Za-z0-9_-]+$/.test(ext)) return { stem: name, ext: '' }
  return { stem: name.slice(0, dot), ext }
}

const joined = (stem: string, ext: string): string => (ext === '' ? stem : `${stem}.${ext}`)

/** At most so many bytes of UTF-8, never half a character. */
const cut = (text: string, bytes: number): string => {
  let used = 0
  let kept = ''
  for (const char of text) {
    used += Buffer.byteLength(char)
    if (used > bytes) break
    kept += char
  }
  return kept
}

/** Windows takes no dots or spaces at the end; a dot at the start would hide the file. */
const tidy = (stem: string): string => stem.replace(/^[\s.]+|[\s.]+$/gu, '')

const fitted = (stem: string, ext: string): string => {
  const clean = tidy(cut(tidy(stem), MAX_BYTES - (ext === '' ? 0 : ext.length + 1))) || NAMELESS
  // `con.tar.gz` is a device too: what counts is what stands before the first dot.
  const [device = ''] = clean.split('.')
  return joined(RESERVED.test(device.trim()) ? `_${clean}` : clean, ext)
}

/** What was given, as a bare name that any system can keep. Never empty, and the same when given again. */
export const bareName = (given: string): string => {
  const visible = given.toWellFormed().replace(INVISIBLE, '')
  const last = visible.split(/[/\\]/).findLast((part) => tidy(part) !== '') ?? ''
  // `C:` before a name, and a stream behind it, are paths too.
  const { stem, ext } = splitName(
    last
      .replace(/^[A-Za-z]:(?=.)/, '')
      .replace(/[<>:"|?*]/g, '_')
      .replace(/[\s.]+$/u, ''),
  )
  return fitted(stem, ext)
}

/**
 * The name of a result: what was given, else what the input was called. "A missing extension is added and one that belongs
 * to another known format is replaced"; any other ending is part of the name. `formatOf` says which format an ending stands
 * for (`jpeg` is `jpg` and may stay), or just whether it stands for one.
 */
export const resultName = (
  base: string,
  ext: string,
  given?: string,
  formatOf: (ending: string) => string | boolean | null = () => true,
): string => {
  const name = bareName(given === undefined || given.trim() === '' ? base : given)
  const { stem, ext: ending } = splitName(name)
  const format = ending === '' ? false : formatOf(ending.toLowerCase())
  if (ending.toLowerCase() === ext || format === ext) return name
  return fitted(format ? stem : name, ext)
}

/** Several files under one name: `name-1.ext`, `name-2.ext`. */
export const numbered = (name: string, index: number): string => {
  const { stem, ext } = splitName(name)
  const suffix = `-${index}`
  return joined(`${cut(stem, MAX_BYTES - suffix.length - (ext === '' ? 0 : ext.length + 1))}${suffix}`, ext)
}
