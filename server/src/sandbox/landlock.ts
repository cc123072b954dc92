/**
 * The box where the machine allows no namespaces (plain containers): Landlock for files, a system call filter for network,
 * sockets and the process group, resource limits. Closed by our own small program (`server/native/landlock-box.c`).
 * The program sees the host's paths: `at` maps. A server run by root boxes as an ordinary user, to whom the folders above
 * what is bound must be open.
 */
import { existsSync, openSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BoxSpec, Limits, Sandbox } from '../ports/sandbox.ts'
import { createLauncher } from './launcher.ts'
import { resourceLimits } from './limits.ts'
import { type MemoryGroups, openMemoryGroups } from './memory-group.ts'
import { createPrivateFolder, type PrivateFolder } from './private-folder.ts'
import { threadsOf } from './process-table.ts'
import { seccompProgram } from './seccomp.ts'
import type { Launch } from './spawn-box.ts'
import { SYSTEM_PATHS, thisArch } from './this-machine.ts'
import { createUsers, handOver } from './users.ts'

export interface LandlockOptions {
  /** The built helper. */
  helper: string
  scratch: string
  memory?: MemoryGroups | null
  /** Use no more of Landlock than this version has: what an older kernel would give. */
  abi?: number
}

const FILTER_FD = 3
const ORDERS_FD = 4

/** Of /proc only what tells of the machine: the command lines of all processes lie there too. */
const READABLE = [
  ...SYSTEM_PATHS,
  // Without a file system of its own a box has no missing files, only refused ones, and Node will not start over this one.
  '/etc/ssl/openssl.cnf',
  ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/sys/devices/system/cpu'],
  ...['/proc/self', '/proc/cpuinfo', '/proc/meminfo', '/proc/stat', '/proc/filesystems', '/proc/version'],
  ...['/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'],
]

export async function openLandlock(options: LandlockOptions): Promise<Sandbox> {
  const { helper, scratch, memory = openMemoryGroups(), abi } = options
  await mkdir(scratch, { recursive: true })
  const own = await mkdtemp(join(scratch, 'landlock-'))
  await chmod(own, 0o711)
  const filter = join(own, 'landlock.bpf')
  await writeFile(filter, seccompProgram(thisArch(), 'landlock'))
  const me = process.getuid?.() ?? 0
  const users = createUsers()
  const readable = READABLE.filter((path) => existsSync(path))

  async function prepare(spec: BoxSpec, limits: Limits): Promise<Launch> {
    const uid = me === 0 ? await users.take() : null
    const folder = await createPrivateFolder(own, spec)
    const release = async (): Promise<void> => {
      await folder.remove()
      if (uid !== null) users.release(uid)
    }
    try {
      if (uid !== null) await Promise.all([folder.tmp, ...folder.folders].map((path) => handOver(path, uid)))
      return {
        program: helper,
        args: [String(FILTER_FD), String(ORDERS_FD)],
        env: {},
        cwd: '/',
        // The helper opens what is bound before it steps down.
        uid: null,
        gate: [
          ...(abi === undefined ? [] : ['abi', String(abi)]),
          ...landlockOrders({ spec, folder, limits, readable, uid, others: uid === null ? threadsOf(me) : 0 }),
        ],
        inherit: [openSync(filter, 'r')],
        keeper: false,
        folders: folder.folders,
        tmp: folder.tmp,
        at: folder.at,
        release,
      }
    } catch (error) {
      await release()
      throw error
    }
  }

  const dispose = (): Promise<void> => {
    users.close()
    return rm(own, { recursive: true, force: true })
  }
  return createLauncher({ kind: 'landlock', profiles: ['strict'], memory, prepare, dispose })
}

interface Orders {
  spec: Pick<BoxSpec, 'readOnly'>
  folder: Pick<PrivateFolder, 'tmp' | 'work' | 'folders' | 'command' | 'env'>
  limits: Limits
  readable: readonly string[]
  uid: number | null
  /** Processes the server's user has already, which the limit counts too. */
  others: number
}

/** What the helper is told. Pure. */
export function landlockOrders({ spec, folder, limits, readable, uid, others }: Orders): string[] {
  const number = (value: number): string => (Number.isFinite(value) ? String(Math.floor(value)) : 'unlimited')
  return [
    ...[...readable, folder.work, ...Object.values(spec.readOnly ?? {})].flatMap((path) => ['read', path]),
    ...['/dev/null', folder.tmp, ...folder.folders].flatMap((path) => ['write', path]),
    // LibreOffice makes its socket there, wherever its TMPDIR is; nobody can call it.
    ...['socket', '/tmp'],
    ...resourceLimits(limits, others).flatMap(({ name, soft, hard }) => ['limit', name, number(soft), number(hard)]),
    ...(uid === null ? [] : ['user', String(uid)]),
    ...['cd', folder.work],
    ...Object.entries(folder.env).flatMap(([name, value]) => ['env', `${name}=${value}`]),
    ...['run', ...folder.command],
  ]
}
