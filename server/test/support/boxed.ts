/** A real sandbox and a private folder for a test file, gone when it ends. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Sandbox } from '../../src/ports/sandbox.ts'
import { openSandbox } from '../../src/sandbox/detect.ts'

export interface Boxed {
  sandbox: Sandbox
  dir: string
}

export async function boxed(): Promise<Boxed> {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-test-'))
  const sandbox = await openSandbox({ unsafe: false, landlockHelper: null, scratch: join(dir, 'scratch') })
  after(async () => {
    await sandbox.close()
    await rm(dir, { recursive: true, force: true })
  })
  return { sandbox, dir }
}
