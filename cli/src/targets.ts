/** Where results go. Decides names only; nothing is read or written but to see what is a folder. */
import { statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { UsageError } from './exit.ts'

export interface Target {
  input: string
  folder: string
  /** The name it will have, as far as known beforehand. */
  expected: string
  /** Whether the user chose that name. */
  exact: boolean
}

type IsFolder = (path: string) => boolean

const onDisk: IsFolder = (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

const stem = (path: string): string => basename(path, extname(path))
const formatIn = (path: string): string => extname(path).slice(1).toLowerCase()

/** `--output` is a folder when it is one, ends like one, must hold several, or could be no file with a format. */
function isPlace(output: string, count: number, isFolder: IsFolder): boolean {
  return count > 1 || /[/\\]$/.test(output) || formatIn(output) === '' || isFolder(output)
}

const exactly = (input: string, path: string): Target => ({
  input,
  folder: dirname(path),
  expected: basename(path),
  exact: true,
})

/** `a.png b.jpg`, or any number of files with `--to`, or one with `--output b.jpg`. */
export function convertTargets(
  names: readonly string[],
  { to, output }: { to?: string | undefined; output?: string | undefined },
  isFolder: IsFolder = onDisk,
): { to: string; targets: Target[] } {
  const [first, second] = names
  if (first === undefined) throw new UsageError('Say which file. For example: reforge convert photo.png photo.jpg')
  if (to === undefined && output === undefined && second !== undefined && names.length === 2 && formatIn(second))
    return { to: formatIn(second), targets: [exactly(first, second)] }
  const file = output !== undefined && !isPlace(output, names.length, isFolder) ? output : undefined
  const format = (to ?? (file && formatIn(file)))?.replace(/^\./, '').toLowerCase()
  if (!format) throw new UsageError(`Say what to convert to. For example: reforge convert ${first} --to jpg`)
  if (file !== undefined) return { to: format, targets: [exactly(first, file)] }
  const targets = names.map((input) => ({
    input,
    folder: output ?? dirname(input),
    expected: `${stem(input)}.${format}`,
    exact: false,
  }))
  return { to: format, targets }
}

/** Beside the original under a name of its own, or under the same name in another folder. */
export function compressTargets(
  names: readonly string[],
  { output }: { output?: string | undefined },
  isFolder: IsFolder = onDisk,
): Target[] {
  const [first] = names
  if (first === undefined) throw new UsageError('Say which file. For example: reforge compress photo.jpg')
  if (output !== undefined && !isPlace(output, names.length, isFolder)) return [exactly(first, output)]
  return names.map((input) => ({
    input,
    folder: output ?? dirname(input),
    expected: output === undefined ? `${stem(input)}-compressed${extname(input)}` : basename(input),
    exact: true,
  }))
}

export const pathOf = ({ folder, expected }: Target): string => join(folder, expected)
