/**
 * The folder of one question to a process that forks: what lies in it beforehand, and what is taken out of it when the
 * child is dead. A child may have left anything there: nothing is followed, and only a plain file with one name is taken.
 */
import { constants, type Stats } from 'node:fs'
import { chmod, chown, copyFile, link, lstat, mkdir, open, opendir, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../../core/task.ts'

const WORDS_KEPT = 4000
const MOST_RESULTS = 100

/**
 * The question is written as words NAME=VALUE for the child to read: a password among them must not be in the memory that
 * all children have from their parent. Answers the bytes of the input, which lie there as well.
 */
export async function layOut(
  yard: string,
  folder: string,
  question: JsonObject,
  input: string | null,
): Promise<number> {
  const order = join(folder, 'order')
  const file = join(folder, String(question.input))
  const words = Object.entries(question).map(([name, value]) => `${name}=${String(value).replaceAll('\0', '')}\0`)
  const { uid, gid } = await stat(yard)
  // A server run by root boxes as somebody else, to whom the box has given the yard.
  const child = uid === process.getuid?.() ? null : { uid, gid }
  await mkdir(folder, { mode: 0o700 })
  await writeFile(order, words.join(''), { mode: 0o400, flag: 'wx' })
  const bytes = input === null ? 0 : await layInput(input, file, child)
  for (const path of child ? [order, folder] : []) await chown(path, uid, gid)
  return bytes
}

interface Child {
  uid: number
  gid: number
}

/**
 * Somebody else who may only read a file can have the file itself, by a second name. Else it is copied (shared on disk where
 * the file system can): the child owns the copy, and may at worst change what is known about that.
 */
async function layInput(input: string, file: string, child: Child | null): Promise<number> {
  const found = await lstat(input)
  if (child && isOnlyReadBy(child, found) && (await hasLink(input, file))) return found.size
  await copyFile(input, file, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  await chmod(file, 0o400)
  if (child) await chown(file, child.uid, child.gid)
  return found.size
}

const [READ_BY_ALL, WRITTEN_BY_OTHERS] = [0o444, 0o022]
/** What another box has made is still its user's, and that may be the child's by now. */
const isOnlyReadBy = ({ uid }: Child, found: Stats): boolean =>
  found.isFile() &&
  found.uid !== uid &&
  (found.mode & READ_BY_ALL) === READ_BY_ALL &&
  (found.mode & WRITTEN_BY_OTHERS) === 0

/** Not where it lies on another disk. */
const hasLink = (from: string, to: string): Promise<boolean> =>
  link(from, to).then(
    () => true,
    () => false,
  )

async function canBeTaken(folder: string, name: string): Promise<boolean> {
  const out = join(folder, 'out')
  const [parent, made] = await Promise.all([out, join(out, name)].map((path) => lstat(path).catch(() => null)))
  return (parent?.isDirectory() && made?.isFile() && made.nlink === 1 && made.size > 0) ?? false
}

async function take(folder: string, name: string, to: string): Promise<void> {
  const from = join(folder, 'out', name)
  // The next box may run as another user.
  await chmod(from, 0o644)
  await rename(from, to).catch(async (error) => {
    if (error.code !== 'EXDEV') throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  })
}

/** False when there is nothing that can be taken. */
export async function takeResult(folder: string, name: string, to: string): Promise<boolean> {
  if (!(await canBeTaken(folder, name))) return false
  await take(folder, name, to)
  return true
}

/** All files of such a name go to another folder, under their names; none of them unless all can be taken. */
export async function takeResults(folder: string, named: RegExp, to: string): Promise<boolean> {
  const names: string[] = []
  const out = join(folder, 'out')
  const made = (await lstat(out).catch(() => null))?.isDirectory() ? await opendir(out) : []
  for await (const { name } of made) {
    if (named.test(name)) names.push(name)
    if (names.length > MOST_RESULTS) return false
  }
  const fine = await Promise.all(names.map((name) => canBeTaken(folder, name)))
  if (names.length === 0 || fine.includes(false)) return false
  for (const name of names) await take(folder, name, join(to, name))
  return true
}

/** What the child said, for the log of the server. */
export async function wordsOf(folder: string): Promise<string> {
  const path = join(folder, 'log')
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null)
  if (file === null) return ''
  try {
    const found = await file.stat()
    if (!found.isFile()) return ''
    const { buffer, bytesRead } = await file.read(Buffer.alloc(WORDS_KEPT), 0, WORDS_KEPT, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
