/** The arguments that make bubblewrap's box. Pure: what is on the machine is given, nothing is looked up. */
import type { BoxSpec, Environment, Limits, Profile } from '../ports/sandbox.ts'
import { prlimit } from './limits.ts'

/**
 * Who closes the box, and as whom its program runs. `namespace`: an ordinary user makes a user namespace. `root`: root
 * makes the mounts, so that no folder above them need be open to others, and steps down to an ordinary user inside.
 */
export type Identity = { by: 'namespace' } | { by: 'root'; uid: number }

export interface Ground {
  /** Paths of the system shown read-only. */
  shown: readonly string[]
  /** `/bin` and the like where they are links into `/usr`: path → target. */
  links: Readonly<Record<string, string>>
}

export interface BubblewrapSpec extends Pick<BoxSpec, 'work' | 'readOnly' | 'writable'> {
  env: Environment
  profile: Profile
  limits: Pick<Limits, 'tmp'>
}

export const DEFAULT_ENV: Environment = { PATH: '/usr/bin:/bin', HOME: '/tmp/home', TMPDIR: '/tmp', LANG: 'C.UTF-8' }

const NOBODY = '65534'
const SHARED_MEMORY = 64 * 2 ** 20
/** Folders that exist, with a mode of their own. */
const MADE = new Set(['/usr', '/dev', '/proc', '/run', '/tmp', '/tmp/home', '/work'])
const RUN_FOLDER = 2 ** 20

/** Descriptors: the filter is read from one, who the first process inside is gets told on another, the last starts it. */
export interface Descriptors {
  seccomp: number
  info: number
  start: number
}

export function bubblewrapArgs(spec: BubblewrapSpec, identity: Identity, ground: Ground, fds: Descriptors): string[] {
  return [
    ...namespaces(identity, spec.profile),
    ...['--hostname', 'box', '--new-session', '--die-with-parent', '--clearenv'],
    ...Object.entries({ ...DEFAULT_ENV, ...spec.env }).flatMap(([name, value]) => ['--setenv', name, value]),
    ...system(ground),
    ...tmpfs('/tmp', spec.limits.tmp),
    ...['--perms', '0777', '--dir', '/tmp/home'],
    ...tmpfs('/run', RUN_FOLDER),
    ...binds(spec),
    // The root of the box is memory, and writable up to half of the machine's, unless closed last.
    ...['--remount-ro', '/', '--chdir', '/work', '--seccomp', String(fds.seccomp)],
    ...['--info-fd', String(fds.info), '--block-fd', String(fds.start)],
  ]
}

function namespaces(identity: Identity, profile: Profile): string[] {
  const apart = ['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try']
  if (identity.by === 'root') {
    // Kept for the way down only: to become the user, and to enter the folder that is the user's already.
    const kept = ['CAP_SETUID', 'CAP_SETGID', 'CAP_DAC_READ_SEARCH'].flatMap((name) => ['--cap-add', name])
    return [...apart, '--cap-drop', 'ALL', ...kept]
  }
  const user = ['--unshare-user', '--uid', NOBODY, '--gid', NOBODY, '--cap-drop', 'ALL']
  return [...user, ...apart, ...(profile === 'browser' ? [] : ['--disable-userns'])]
}

function system({ shown, links }: Ground): string[] {
  return [
    ...parents(shown),
    ...shown.flatMap((path) => ['--ro-bind', path, path]),
    ...Object.entries(links).flatMap(([path, target]) => ['--symlink', target, path]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...tmpfs('/dev/shm', SHARED_MEMORY),
    ...['--remount-ro', '/dev'],
  ]
}

const tmpfs = (path: string, bytes: number): string[] => ['--perms', '1777', '--size', String(bytes), '--tmpfs', path]

/** What lies in a folder is bound after it. */
function binds({ work, readOnly = {}, writable = {} }: BubblewrapSpec): string[] {
  const all = [
    ...(work === undefined ? [] : [['--bind', work, '/work'] as const]),
    ...Object.entries(writable).map(([inside, host]) => ['--bind', host, inside] as const),
    ...Object.entries(readOnly).map(([inside, host]) => ['--ro-bind', host, inside] as const),
  ]
  const depth = (path: string): number => path.split('/').length
  const sorted = all.sort(([, , a], [, , b]) => depth(a) - depth(b))
  const empty = work === undefined ? ['--perms', '0555', '--dir', '/work'] : []
  return [...empty, ...sorted.flatMap((bind) => [...parents([bind[2]]), ...bind])]
}

/** The folders above, made by us: those bubblewrap makes by itself are closed to all but their owner. */
function parents(paths: readonly string[]): string[] {
  const folders = new Set(
    paths.flatMap((path) => [...path.slice(1).matchAll(/\//g)].map((at) => path.slice(0, at.index + 1))),
  )
  return [...folders].filter((path) => !MADE.has(path)).flatMap((path) => ['--perms', '0755', '--dir', path])
}

/** What runs inside the box: step down where root closed it, take the limits on, become the program. */
export function insideCommand(command: readonly string[], identity: Identity, limits: Limits): string[] {
  const id = identity.by === 'root' ? String(identity.uid) : null
  const stepDown =
    id === null ? [] : ['/usr/bin/setpriv', '--reuid', id, '--regid', id, '--clear-groups', '--inh-caps=-all', '--']
  // Set inside: the limit on processes would otherwise hit bubblewrap, and be counted outside.
  return [...stepDown, ...prlimit(limits), ...command]
}
