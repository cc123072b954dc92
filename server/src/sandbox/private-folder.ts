/**
 * A box without a file system of its own lives in one folder of the host: `tmp`, which stands for `/tmp`, and `work`, an
 * empty stand-in where the caller gives none. Shared by the boxes that are not bubblewrap's.
 */
import { chmod, mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { At, BoxSpec, Command, Environment } from '../ports/sandbox.ts'
import { createAt } from './paths.ts'
import { removeTree } from './remove-tree.ts'

export interface PrivateFolder {
  tmp: string
  work: string
  /** What the caller gave to write in. */
  folders: readonly string[]
  at: At
  command: Command
  env: Environment
  remove(): Promise<void>
}

export async function createPrivateFolder(parent: string, spec: BoxSpec): Promise<PrivateFolder> {
  const root = await mkdtemp(join(parent, 'box-'))
  const tmp = join(root, 'tmp')
  const empty = join(root, 'work')
  // Another user than the server's has to get through, not to look around.
  await chmod(root, 0o711)
  await mkdir(join(tmp, 'home'), { recursive: true })
  await mkdir(empty, { mode: 0o555 })
  const work = spec.work ?? empty
  const at = createAt({ '/tmp': tmp, '/work': work, ...spec.writable, ...spec.readOnly })
  const [program, ...args] = typeof spec.command === 'function' ? spec.command(at) : spec.command
  const env = typeof spec.env === 'function' ? spec.env(at) : spec.env
  return {
    tmp,
    work,
    folders: [...(spec.work === undefined ? [] : [spec.work]), ...Object.values(spec.writable ?? {})],
    at,
    command: [at(program), ...args],
    env: { PATH: '/usr/bin:/bin', HOME: join(tmp, 'home'), TMPDIR: tmp, LANG: 'C.UTF-8', ...env },
    // What is left over is the janitor's.
    remove: () => removeTree(root).catch(() => {}),
  }
}
