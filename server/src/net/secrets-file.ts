/**
 * The keys of this installation: the master key that seals secrets and the keys that sign links. Made at the first
 * start and kept in files that only the owner may read. An existing file is never written over: what was sealed with a
 * lost key is lost.
 */
import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { chmod, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SigningKey } from '../core/sign.ts'
import { createFile, readIfThere } from './safe-file.ts'

export interface Secrets {
  master: Buffer
  /** One key a line in the file. The first signs; to rotate, put a new line on top and remove old ones a day later. */
  links: SigningKey[]
}

export async function ensureSecrets(dir: string): Promise<Secrets> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const [master, ...more] = await keysIn(join(dir, 'master.key'))
  if (!master || more.length > 0) throw new Error(`${join(dir, 'master.key')} must hold exactly one key.`)
  const links = await keysIn(join(dir, 'links.key'))
  return { master, links: links.map((secret) => ({ id: idOf(secret), secret })) }
}

/** The same keys on every node that is told the same text. */
export function secretsFrom(text: string): Secrets {
  const key = (purpose: string) => Buffer.from(hkdfSync('sha256', text, '', `reforge ${purpose}`, 32))
  const links = key('links')
  return { master: key('master'), links: [{ id: idOf(links), secret: links }] }
}

async function keysIn(path: string): Promise<Buffer[]> {
  const text =
    (await readIfThere(path)) ?? (await createFile(path, `${randomBytes(32).toString('base64url')}\n`, 0o600))
  await closeToOthers(path)
  const lines = text.split('\n').map((line) => line.trim())
  const keys = lines.filter(Boolean).map((line) => Buffer.from(line, 'base64url'))
  if (keys.length === 0 || keys.some((key) => key.length !== 32))
    throw new Error(
      `${path} is damaged: each line must be 32 bytes in base64url (43 characters). Restore it from a backup; ` +
        'remove it only if stored secrets and links given out may become useless.',
    )
  return keys
}

async function closeToOthers(path: string): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o077) === 0) return
  try {
    await chmod(path, 0o600)
  } catch {
    throw new Error(`${path} can be read by others and its mode cannot be changed. Make it readable by its owner only.`)
  }
}

/** From the key itself, so that nobody has to number them; a hash's beginning tells nothing about the key. */
const idOf = (secret: Buffer): string => createHash('sha256').update(secret).digest('hex').slice(0, 8)
