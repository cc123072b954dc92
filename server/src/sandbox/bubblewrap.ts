/** The box by bubblewrap: namespaces, a file system of its own, a system call filter. */
import { existsSync, lstatSync, openSync, readlinkSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BoxSpec, Limits, Profile, Sandbox } from '../ports/sandbox.ts'
import { bubblewrapArgs, type Ground, type Identity, insideCommand } from './bubblewrap-args.ts'
import { createLauncher } from './launcher.ts'
import { type MemoryGroups, openMemoryGroups } from './memory-group.ts'
import { seccompProgram } from './seccomp.ts'
import type { Launch } from './spawn-box.ts'
import { SYSTEM_PATHS, thisArch } from './this-machine.ts'
import { createUsers, handOver } from './users.ts'

export interface BubblewrapOptions {
  /** A folder for our own small files. */
  scratch: string
  /**
   * Who closes the box: by default root where the server is root. `dropped` is for a root that may not mount (a container):
   * it becomes an ordinary user first, to whom every folder above what is bound must be open.
   */
  by?: 'root' | 'dropped' | 'user'
  /** By default control groups where they may be made. */
  memory?: MemoryGroups | null
}

export const BWRAP = '/usr/bin/bwrap'
/** In the order `Launch` hands them out: what is inherited, the gate, the keeper's news and its leave to start. */
const FDS = { seccomp: 3, args: 4, info: 5, start: 6 }
const same = (path: string): string => path

export async function openBubblewrap(options: BubblewrapOptions): Promise<Sandbox> {
  const { scratch, memory = openMemoryGroups() } = options
  const by = options.by ?? (process.getuid?.() === 0 ? 'root' : 'user')
  await mkdir(scratch, { recursive: true })
  const own = await mkdtemp(join(scratch, 'bubblewrap-'))
  const filters: Record<Profile, string> = { strict: join(own, 'strict.bpf'), browser: join(own, 'browser.bpf') }
  await writeFile(filters.strict, seccompProgram(thisArch(), 'strict'))
  await writeFile(filters.browser, seccompProgram(thisArch(), 'browser'))
  const ground = groundHere()
  const users = createUsers()

  async function prepare(spec: BoxSpec, limits: Limits): Promise<Launch> {
    const profile = spec.profile ?? 'strict'
    const folders = [...(spec.work === undefined ? [] : [spec.work]), ...Object.values(spec.writable ?? {})]
    const uid = by === 'user' ? null : await users.take()
    try {
      if (uid !== null) await Promise.all(folders.map((folder) => handOver(folder, uid)))
      const identity: Identity = by === 'root' && uid !== null ? { by: 'root', uid } : { by: 'namespace' }
      const command = typeof spec.command === 'function' ? spec.command(same) : spec.command
      const env = (typeof spec.env === 'function' ? spec.env(same) : spec.env) ?? {}
      return {
        program: BWRAP,
        args: ['--args', String(FDS.args), '--', ...insideCommand(command, identity, limits)],
        // Not only cleared inside: the first process of the box shows the environment it was started with.
        env: {},
        cwd: '/',
        uid: by === 'dropped' ? uid : null,
        // Not on the command line, which the box can read: it would tell the host's paths.
        gate: bubblewrapArgs({ ...spec, env, profile, limits }, identity, ground, FDS),
        // Opened anew each time: a shared descriptor would be at its end after the first reading.
        inherit: [openSync(filters[profile], 'r')],
        keeper: true,
        folders,
        tmp: null,
        at: same,
        release: async () => release(uid),
      }
    } catch (error) {
      release(uid)
      throw error
    }
  }

  const release = (uid: number | null): void => {
    if (uid !== null) users.release(uid)
  }
  const dispose = (): Promise<void> => {
    users.close()
    return rm(own, { recursive: true, force: true })
  }
  return createLauncher({ kind: 'bubblewrap', profiles: ['strict', 'browser'], memory, prepare, dispose })
}

const ROOT_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64']

function groundHere(): Ground {
  const folders = ROOT_FOLDERS.filter((path) => existsSync(path))
  const linked = folders.filter((path) => lstatSync(path).isSymbolicLink())
  return {
    shown: [...SYSTEM_PATHS.filter((path) => existsSync(path)), ...folders.filter((path) => !linked.includes(path))],
    links: Object.fromEntries(linked.map((path) => [path, readlinkSync(path)])),
  }
}
