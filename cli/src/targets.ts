/** Where results go. Decides names only; nothing is read or written but to see what is a folder and what is in it. */
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { UsageError } from './exit.ts'

export interface Target {
  /** What it is called while it is worked on. */
  input: string
  /** Paths, addresses, or - for standard input. */
  files: readonly string[]
  folder: string
  /** The name it will have, as far as known beforehand. */
  expected: string
  /** Whether the user chose that name. */
  exact: boolean
  /** Found in a folder, not named: left out when it cannot be worked on. */
  found?: true
  toStdout?: true
}

export interface Wish {
  to?: string | undefined
  output?: string | undefined
  'output-dir'?: string | undefined
}

export interface Disk {
  isFolder(path: string): boolean
  /** Paths below the folder, of everything in it that is a file. */
  filesIn(folder: string): readonly string[]
}

const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'))

export const disk: Disk = {
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
  filesIn: (folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(join(folder, '/').length))
      .filter((path) => !isHidden(path))
      .sort(),
}

const isAddress = (name: string): boolean => /^https?:\/\//.test(name)
/** The file's own name; of an address that of its path, of standard input a stand-in. */
const nameOf = (name: string): string =>
  name === '-' ? 'stdin' : isAddress(name) ? basename(new URL(name).pathname) || 'download' : basename(name)
const stem = (name: string): string => basename(nameOf(name), extname(nameOf(name)))
const formatIn = (path: string): string => extname(path).slice(1).toLowerCase()
export const formatOf = (text: string | undefined): string | undefined => text?.replace(/^\./, '').toLowerCase()

interface Place {
  folder?: string
  file?: string
  toStdout?: true
}

/** `--output` is a folder when it is one, ends like one, must hold several, or could be no file with a format. */
function placeOf(names: readonly string[], { output, 'output-dir': folder }: Wish, { isFolder }: Disk): Place {
  if (output !== undefined && folder !== undefined) throw new UsageError('Give --output or --output-dir, not both.')
  if (folder !== undefined) return { folder }
  const several = names.length > 1 || names.some(isFolder)
  if (output === '-' || (output === undefined && names.includes('-'))) {
    if (several) throw new UsageError('Standard output takes one file only. Give a folder with --output-dir.')
    return { toStdout: true }
  }
  if (output === undefined) return {}
  const isPlace = several || /[/\\]$/.test(output) || formatIn(output) === '' || isFolder(output)
  return isPlace ? { folder: output } : { file: output }
}

/** Each file, those of folders too, with the name `call` gives it. */
function each(names: readonly string[], place: Place, on: Disk, call: (name: string) => [string, boolean]): Target[] {
  const { folder, file, toStdout } = place
  const target = (path: string, below: string | undefined): Target => {
    const [expected, exact] = call(nameOf(path))
    const beside = path === '-' || isAddress(path) ? '.' : dirname(path)
    const about = { input: path, files: [path], ...(below !== undefined && { found: true as const }) }
    if (toStdout) return { ...about, folder: '.', expected, exact, toStdout }
    if (file !== undefined) return { ...about, folder: dirname(file), expected: basename(file), exact: true }
    return { ...about, folder: folder === undefined ? beside : join(folder, below ?? ''), expected, exact }
  }
  return names.flatMap((name) =>
    on.isFolder(name)
      ? on.filesIn(name).map((path) => target(join(name, path), dirname(path)))
      : [target(name, undefined)],
  )
}

/** `a.png b.jpg`, or any number of files with `--to`, or one with `--output b.jpg`. */
export function convertTargets(names: readonly string[], wish: Wish, on = disk): { to: string; targets: Target[] } {
  const [first = '', second] = names
  const isPair = names.length === 2 && second !== undefined && wish.output === undefined && !wish['output-dir']
  if (isPair && (second === '-' || (wish.to === undefined && formatIn(second) && !on.isFolder(first))))
    return convertTargets([first], { ...wish, output: second }, on)
  const place = placeOf(names, wish, on)
  const to = formatOf(wish.to) ?? (place.file && formatIn(place.file))
  if (!to) throw new UsageError(`Say what to convert to. For example: reforge convert ${first} --to jpg`)
  return { to, targets: each(names, place, on, (name) => [`${stem(name)}.${to}`, false]) }
}

/** Beside the original under a name of its own, or under the same name in another folder. */
export function besideTargets(names: readonly string[], suffix: string, wish: Wish, on = disk): Target[] {
  const place = placeOf(names, wish, on)
  const to = formatOf(wish.to)
  return each(names, place, on, (name) => {
    const ending = to === undefined ? extname(name) : `.${to}`
    return [`${stem(name)}${place.folder === undefined ? `-${suffix}` : ''}${ending}`, true]
  })
}

/** All files, those of folders too, into one. */
export function mergeTarget(names: readonly string[], wish: Wish, on = disk): { to: string; target: Target } {
  const files = names.flatMap((name) => (on.isFolder(name) ? on.filesIn(name).map((path) => join(name, path)) : [name]))
  if (files.length < 2)
    throw new UsageError('Give two files or more. For example: reforge merge a.pdf b.pdf -o all.pdf')
  const place = placeOf(files.slice(0, 1), wish, on)
  const to = formatOf(wish.to) ?? (place.file && formatIn(place.file))
  if (!to) throw new UsageError('Say what to make. For example: reforge merge a.pdf b.pdf --output all.pdf')
  const [made] = each(files.slice(0, 1), { folder: '.', ...place }, on, () => [`merged.${to}`, true])
  if (!made) throw new UsageError('Give two files or more.')
  return { to, target: { ...made, input: `${files.length} files`, files } }
}

export const pathOf = ({ folder, expected }: Target): string => join(folder, expected)
