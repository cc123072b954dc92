/** Who runs under whom on this machine, read from /proc. Knows nothing of boxes and ends nothing. */
import { readdirSync, readFileSync, statSync } from 'node:fs'

export interface ProcessRow {
  pid: number
  parent: number
  group: number
  /** Clock ticks since boot; with the pid it names a process for good. */
  started: number
  /** Seconds of CPU, those of children it has waited for included. */
  cpu: number
  threads: number
}

export type ProcessTable = ReadonlyMap<number, ProcessRow>

/** USER_HZ: 100 on every architecture we run on. */
const TICKS = 100

/** One line of /proc/PID/stat. The name is in brackets and may hold anything, brackets too. */
export function parseStat(text: string): ProcessRow | null {
  const nameEnd = text.lastIndexOf(')')
  const pid = Number.parseInt(text, 10)
  const fields = text.slice(nameEnd + 2).split(' ')
  const field = (number: number): number => Number(fields[number - 3])
  // A dead process that nobody has waited for yet runs no more.
  if (nameEnd < 0 || !Number.isInteger(pid) || fields[0] === 'Z' || fields[0] === 'X') return null
  return {
    pid,
    parent: field(4),
    group: field(5),
    cpu: (field(14) + field(15) + field(16) + field(17)) / TICKS,
    threads: field(20),
    started: field(22),
  }
}

// Read synchronously: these files come from memory, and a trip through the thread pool costs ten times the reading.
export function readProcessTable(): ProcessTable {
  const table = new Map<number, ProcessRow>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const row = rowOf(name)
    if (row) table.set(row.pid, row)
  }
  return table
}

/** null when it runs no more. */
export const rowOf = (pid: number | string): ProcessRow | null => parseStat(readOr(`/proc/${pid}/stat`))

export const isRunning = (pid: number): boolean => rowOf(pid) !== null

/** A process, all that came from it, and all of its process group. */
export function family(table: ProcessTable, root: number): ProcessRow[] {
  const found = new Map<number, ProcessRow>()
  const belongs = (row: ProcessRow): boolean => row.pid === root || row.group === root || found.has(row.parent)
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const row of table.values()) if (belongs(row)) found.set(row.pid, row)
  }
  return [...found.values()]
}

/** Bytes that belong to a process alone or are shared memory; the pages of programs and libraries are left out. */
export function heldMemory(pid: number): number {
  let kilobytes = 0
  for (const [, amount] of readOr(`/proc/${pid}/status`).matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm)) {
    kilobytes += Number(amount)
  }
  return kilobytes * 1024
}

/** Threads of a user all over the machine: what RLIMIT_NPROC counts. */
export function threadsOf(uid: number): number {
  let threads = 0
  for (const row of readProcessTable().values()) {
    if (statSync(`/proc/${row.pid}`, { throwIfNoEntry: false })?.uid === uid) threads += row.threads
  }
  return threads
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
