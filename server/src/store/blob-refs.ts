/** Which tasks, and parts of tasks, name which blobs. The bytes are somebody else's: this only tells when nobody names them any more. */
import type { Task } from '../core/task.ts'
import type { Sql } from '../ports/sql.ts'
import { allIn, insert } from './statements.ts'

export async function keepBlobs(sql: Sql, tasks: readonly Task[]): Promise<void> {
  for (const task of tasks) {
    const blobs = new Set(task.result?.files?.map((file) => file.blob))
    for (const blob of blobs) {
      const row = { blob, task: task.id, expires_at: task.expiresAt }
      await insert(sql, 'blob_refs', row, 'ON CONFLICT (blob, task) DO NOTHING')
    }
  }
}

export async function blobsOf(sql: Sql, tasks: readonly string[]): Promise<string[]> {
  const rows = await allIn(sql, tasks, (marks) => `SELECT blob FROM blob_refs WHERE task IN (${marks})`)
  return rows.map((row) => String(row.blob))
}

export async function blobsInUse(sql: Sql, blobs: readonly string[]): Promise<Set<string>> {
  const from = (table: string) => allIn(sql, blobs, (marks) => `SELECT blob FROM ${table} WHERE blob IN (${marks})`)
  return new Set([...(await from('blob_refs')), ...(await from('parts'))].map((row) => String(row.blob)))
}

/** Those of `blobs` that no row names, once each. */
export async function unused(sql: Sql, blobs: readonly string[]): Promise<string[]> {
  const used = await blobsInUse(sql, blobs)
  return [...new Set(blobs)].filter((blob) => !used.has(blob))
}
