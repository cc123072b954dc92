/**
 * No box at all, for an operator who has asked for it in so many words (REFORGE_UNSAFE_NO_SANDBOX=1). The program can read
 * and reach what the server can. What remains: limits, a process group, an empty environment.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BoxSpec, Limits, Sandbox } from '../ports/sandbox.ts'
import { createLauncher } from './launcher.ts'
import { prlimit } from './limits.ts'
import { createPrivateFolder } from './private-folder.ts'
import { threadsOf } from './process-table.ts'
import type { Launch } from './spawn-box.ts'

export async function openUnsafe({ scratch }: { scratch: string }): Promise<Sandbox> {
  await mkdir(scratch, { recursive: true })
  const own = await mkdtemp(join(scratch, 'unsafe-'))

  async function prepare(spec: BoxSpec, limits: Limits): Promise<Launch> {
    const folder = await createPrivateFolder(own, spec)
    const me = process.getuid?.() ?? 0
    // The kernel counts all of a user's processes, but never those of root.
    const [program, ...flags] = prlimit(limits, me === 0 ? 0 : threadsOf(me))
    return {
      program,
      args: [...flags, ...folder.command],
      env: folder.env,
      cwd: folder.work,
      uid: null,
      inherit: [],
      gate: null,
      keeper: false,
      folders: folder.folders,
      tmp: folder.tmp,
      at: folder.at,
      release: folder.remove,
    }
  }

  const dispose = (): Promise<void> => rm(own, { recursive: true, force: true })
  return createLauncher({ kind: 'none', profiles: ['strict', 'browser'], memory: null, prepare, dispose })
}
