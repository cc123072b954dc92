/** A directory that is gone after the test. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export async function tempDir(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'reforge-test-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
