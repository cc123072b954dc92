/**
 * The kernel's own limit on the memory of a whole box: one control group each, below the group the server itself is in, so
 * that a limit set on the server holds for its boxes too. Nothing here starts or watches processes.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface MemoryGroup {
  /**
   * Must happen before the process has children: they inherit, but are not looked for. The kernel takes up to ten
   * milliseconds for it, in which nobody should wait who could do something else.
   */
  add(pid: number): Promise<void>
  /** Whether the kernel ended something in it for want of memory. */
  exhausted(): boolean
  pids(): number[]
  remove(): Promise<void>
}

export interface MemoryGroups {
  create(bytes: number): MemoryGroup
}

export interface GroupPlace {
  version: 1 | 2
  dir: string
}

const PREFIX = 'reforge-'

/** Where this process is, from /proc/self/cgroup and /proc/self/mountinfo; version 2 first. */
export function groupPlaces(cgroup: string, mountinfo: string): readonly GroupPlace[] {
  const own = cgroup
    .trim()
    .split('\n')
    .map((line) => /^(\d+):([^:]*):(.*)$/.exec(line))
    .filter((match) => match !== null)
  const mounts = mountinfo
    .trim()
    .split('\n')
    .map((line) => /^\S+ \S+ \S+ (\S+) (\S+) .* - (cgroup2?) \S+ (\S+)$/.exec(line))
    .filter((match) => match !== null)
  const place = (version: 1 | 2): readonly GroupPlace[] => {
    const path = own.find(([, id, names]) => (version === 2 ? id === '0' : names?.split(',').includes('memory')))?.[3]
    const mount = mounts.find(([, , , type, options]) =>
      version === 2 ? type === 'cgroup2' : type === 'cgroup' && options?.split(',').includes('memory'),
    )
    const [root, point] = [mount?.[1], mount?.[2]]
    if (path === undefined || root === undefined || point === undefined) return []
    // In a container the mount may show only a part of the tree, with the container's group as its root.
    const shown = root !== '/' && (path === root || path.startsWith(`${root}/`)) ? path.slice(root.length) : path
    return [{ version, dir: join(point, shown).replace(/\/$/, '') }]
  }
  return [...place(2), ...place(1)]
}

/** Null where no group may be made: then a box is watched instead. */
export function openMemoryGroups(places: readonly GroupPlace[] = placesHere()): MemoryGroups | null {
  for (const place of places) {
    try {
      removeLeftovers(place.dir)
      if (place.version === 2) hand(place.dir)
      const groups = createGroups(place)
      const trial = groups.create(2 ** 26)
      void trial.remove()
      return groups
    } catch {
      // Not ours to write: the next.
    }
  }
  return null
}

function placesHere(): readonly GroupPlace[] {
  try {
    return groupPlaces(readFileSync('/proc/self/cgroup', 'utf8'), readFileSync('/proc/self/mountinfo', 'utf8'))
  } catch {
    return []
  }
}

/** Version 2: a group hands its controllers on only while no process is in it, so the server moves one down. */
function hand(dir: string): void {
  if (!readFileSync(join(dir, 'cgroup.controllers'), 'utf8').split(/\s/).includes('memory'))
    throw new Error('no memory')
  const control = join(dir, 'cgroup.subtree_control')
  if (readFileSync(control, 'utf8').split(/\s/).includes('memory')) return
  const leaf = join(dir, `${PREFIX}${process.pid}-server`)
  mkdirSync(leaf)
  writeFileSync(join(leaf, 'cgroup.procs'), String(process.pid))
  try {
    writeFileSync(control, '+memory')
  } catch (error) {
    writeFileSync(join(dir, 'cgroup.procs'), String(process.pid))
    rmdirSync(leaf)
    throw error
  }
}

function createGroups({ version, dir }: GroupPlace): MemoryGroups {
  let made = 0
  return {
    create(bytes) {
      const group = join(dir, `${PREFIX}${process.pid}-${Date.now().toString(36)}-${made++}`)
      mkdirSync(group)
      const set = (name: string, value: string): void => writeFileSync(join(group, name), value)
      const optional = (name: string, value: string): void => {
        if (existsSync(join(group, name))) set(name, value)
      }
      if (version === 2) {
        set('memory.max', String(bytes))
        optional('memory.swap.max', '0')
        optional('memory.oom.group', '1')
      } else {
        set('memory.limit_in_bytes', String(bytes))
        optional('memory.memsw.limit_in_bytes', String(bytes))
      }
      return createGroup(group, version)
    },
  }
}

function createGroup(dir: string, version: 1 | 2): MemoryGroup {
  const read = (name: string): string => {
    try {
      return readFileSync(join(dir, name), 'utf8')
    } catch {
      return ''
    }
  }
  return {
    add: (pid) => writeFile(join(dir, 'cgroup.procs'), String(pid)),
    exhausted() {
      const events = read(version === 2 ? 'memory.events' : 'memory.oom_control')
      return Number(/^oom_kill (\d+)$/m.exec(events)?.[1] ?? 0) > 0
    },
    pids: () => (read('cgroup.procs').match(/\d+/g) ?? []).map(Number),
    async remove() {
      // A group is busy for a moment after its last process.
      for (let attempt = 0; attempt < 100; attempt++) {
        try {
          return rmdirSync(dir)
        } catch {
          await sleep(5)
        }
      }
    },
  }
}

/** Groups of servers that were killed. */
function removeLeftovers(dir: string): void {
  for (const name of readdirSync(dir)) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (owner === undefined || existsSync(`/proc/${owner}`)) continue
    try {
      rmdirSync(join(dir, name))
    } catch {
      // Somebody is still in it.
    }
  }
}
