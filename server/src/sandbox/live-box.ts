/**
 * One boxed program while it runs: starts it, ends it with all it has started, says how it went. How the box is closed is
 * decided by whoever made the `Launch`; what its program may use, by the patrol.
 */
import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ended, Limits } from '../ports/sandbox.ts'
import type { MemoryGroup } from './memory-group.ts'
import { family, isRunning, type ProcessRow, readProcessTable } from './process-table.ts'
import { type Launch, onNews, type Spawned, spawnBox } from './spawn-box.ts'

interface Exit {
  code: number | null
  signal: string | null
  ended: Ended | null
}

export interface LiveBox {
  readonly child: ChildProcess
  readonly pid: number
  readonly launch: Launch
  readonly limits: Limits
  readonly group: MemoryGroup | null
  /** The first reason counts. */
  stop(why: Ended): void
  /** Resolves when nothing of it runs any more and its traces are removed. */
  readonly exit: Promise<Exit>
}

const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]))

export async function startBox(
  launch: Launch,
  limits: Limits,
  stdin: 'ignore' | 'pipe',
  group: MemoryGroup | null,
): Promise<LiveBox> {
  try {
    return watchOver(await spawnBox(launch, stdin, group), launch, limits, group)
  } catch (error) {
    await Promise.all([group?.remove(), launch.release()])
    throw error
  }
}

function watchOver({ child, pid }: Spawned, launch: Launch, limits: Limits, group: MemoryGroup | null): LiveBox {
  let why: Ended | null = null
  let exhausted = false
  let first: number | null = null
  let victims: readonly ProcessRow[] = []
  const { promise, resolve, reject } = Promise.withResolvers<Exit>()

  if (launch.keeper) onNews(child, (told) => (first = told))
  const wall = Number.isFinite(limits.wall) ? setTimeout(stop, limits.wall, 'wall') : undefined
  child.on('exit', (code, signal) => {
    const how = launch.keeper ? passedOn(code, signal) : { code, signal }
    settle().then(() => resolve({ ...how, ended: why ?? reason(how.signal) }), reject)
  })
  return { child, pid, launch, limits, group, stop, exit: promise.finally(() => clearTimeout(wall)) }

  function stop(reason: Ended): void {
    if (why !== null || !lives()) return
    why = reason
    victims = family(readProcessTable(), pid)
    const inside = first === null ? victims.filter((row) => row.parent === pid).map((row) => row.pid) : [first]
    if (!launch.keeper || inside.length === 0) killGroup(pid)
    else for (const process of inside) kill(process)
    setTimeout(() => lives() && killGroup(pid), 500).unref()
  }

  function lives(): boolean {
    return child.exitCode === null && child.signalCode === null
  }

  function reason(signal: string | null): Ended | null {
    if (exhausted) return 'memory'
    return signal === 'SIGXCPU' ? 'cpu' : signal === 'SIGXFSZ' ? 'disk' : null
  }

  async function settle(): Promise<void> {
    if (!launch.keeper) killGroup(pid)
    for (let attempt = 0; attempt < 200; attempt++) {
      const left = survivors()
      if (left.length === 0) break
      for (const survivor of left) kill(survivor)
      await sleep(1 + attempt / 10)
    }
    exhausted = group?.exhausted() ?? false
    await Promise.all([group?.remove(), launch.release()])
  }

  function survivors(): number[] {
    // The keeper goes when it knows how the program ended, not when all are gone.
    const inside = first !== null && isRunning(first) ? [first] : []
    if (group) return [...inside, ...group.pids()]
    if (why === null && (launch.keeper || !signal(-pid, 0))) return inside
    const table = readProcessTable()
    const same = victims.filter((row) => table.get(row.pid)?.started === row.started).map((row) => row.pid)
    return [...inside, ...same, ...family(table, pid).map((row) => row.pid)]
  }
}

/** A keeper tells the signal that ended the program as the shell does: 128 and its number. */
function passedOn(code: number | null, signal: string | null): { code: number | null; signal: string | null } {
  const name = code === null ? undefined : SIGNALS.get(code - 128)
  return name === undefined ? { code, signal } : { code: null, signal: name }
}

const killGroup = (pid: number): boolean => kill(-pid)

const kill = (pid: number): boolean => signal(pid, 'SIGKILL')

/** False when there is nobody to take it. */
function signal(pid: number, what: 'SIGKILL' | 0): boolean {
  try {
    return process.kill(pid, what)
  } catch {
    return false
  }
}
