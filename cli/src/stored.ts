/** What `reforge login` keeps: one file that only its owner may read. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { UsageError } from './exit.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Stored {
  url: string
  key: string
  /** Path of the certificate authority. */
  ca?: string
}

export const storedPath = (env: Environment): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'reforge/config.json')

const isStored = (value: unknown): value is Stored =>
  typeof value === 'object' &&
  value !== null &&
  'url' in value &&
  typeof value.url === 'string' &&
  'key' in value &&
  typeof value.key === 'string' &&
  (!('ca' in value) || typeof value.ca === 'string')

export function readStored(env: Environment): Stored | null {
  const path = storedPath(env)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return null
  }
  try {
    const value: unknown = JSON.parse(text)
    if (isStored(value)) return value
  } catch {
    // Said below, like a file of another shape.
  }
  throw new UsageError(`${path} cannot be understood. "reforge login" writes it anew, "reforge logout" removes it.`)
}

export function writeStored(env: Environment, stored: Stored): string {
  const path = storedPath(env)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // Never readable by others, not even while it is written, and never half written.
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
  renameSync(fresh, path)
  return path
}

export const removeStored = (env: Environment): void => rmSync(storedPath(env), { force: true })
