/**
 * The folder of one question to a process that forks: what lies in it beforehand, and what is taken out of it when the
 * child is dead. A child may have left anything there: nothing is followed, and only a plain file with one name is taken.
 */
import { constants } from 'node:fs'
import { chmod, chown, copyFile, lstat, mkdir, open, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../../core/task.ts'

const WORDS_KEPT = 4000

/**
 * The input is copied (shared on disk where the file system can): the child's user owns it, and may at worst change what
 * is known about it. The question is written as words NAME=VALUE for the child to read: a password among them must not
 * be in the memory that all children have from their parent.
 */
export async function layOut(yard: string, folder: string, question: JsonObject, input: string | null): Promise<void> {
  const order = join(folder, 'order')
  const file = join(folder, String(question.input))
  const words = Object.entries(question).map(([name, value]) => `${name}=${String(value).replaceAll('\0', '')}\0`)
  await mkdir(folder, { mode: 0o700 })
  await writeFile(order, words.join(''), { mode: 0o400, flag: 'wx' })
  if (input !== null) {
    await copyFile(input, file, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
    await chmod(file, 0o400)
  }
  // A server run by root boxes as somebody else, to whom the box has given the yard.
  const { uid, gid } = await stat(yard)
  if (uid === process.getuid?.()) return
  for (const path of [order, ...(input === null ? [] : [file]), folder]) await chown(path, uid, gid)
}

/** False when there is nothing that can be taken. */
export async function takeResult(folder: string, name: string, to: string): Promise<boolean> {
  const out = join(folder, 'out')
  const from = join(out, name)
  const [parent, made] = await Promise.all([out, from].map((path) => lstat(path).catch(() => null)))
  if (!parent?.isDirectory() || !made?.isFile() || made.nlink !== 1 || made.size === 0) return false
  // The next box may run as another user.
  await chmod(from, 0o644)
  await rename(from, to).catch(async (error) => {
    if (error.code !== 'EXDEV') throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  })
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
