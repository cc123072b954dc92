/**
 * One boxed program while it runs: starts it, ends it with all it has started, says how it went. How the box is closed is
 * decided by whoever made the `Launch`; what its program may use, by the patrol.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { constants } from 'node:os'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { At, Ended, Environment, Limits } from '../ports/sandbox.ts'
import type { MemoryGroup } from './memory-group.ts'
import { family, type ProcessRow, readProcessTable } from './process-table.ts'

export interface Launch {
  program: string
  args: readonly string[]
  env: Environment
  cwd: string
  /** The user to become before the program starts, null to stay who we are. */
  uid: number | null
  /** Descriptors the program finds from 3 on; closed here once it has them. */
  inherit: readonly number[]
  /** Arguments sent over the next descriptor. The program does nothing before it has them: time to put it into its group. */
  gate: readonly string[] | null
  /** The program is only the keeper of the box: it ends by itself, with the right news, when what is inside has ended. */
  keeper: boolean
  /** Folders whose bytes count as `disk`, and one whose bytes count as `tmp`. */
  folders: readonly string[]
  tmp: string | null
  at: At
  release(): Promise<void>
}

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
    const child = await spawned(launch, stdin, group)
    return watchOver(child.process, child.pid, launch, limits, group)
  } catch (error) {
    await Promise.all([group?.remove(), launch.release()])
    throw error
  }
}

function spawned(launch: Launch, stdin: 'ignore' | 'pipe', group: MemoryGroup | null) {
  const { promise, resolve, reject } = Promise.withResolvers<{ process: ChildProcess; pid: number }>()
  const gate = launch.gate === null ? null : gateText(launch.gate)
  const child = spawnDetached(launch, stdin)
  child.on('error', reject)
  if (child.pid !== undefined) {
    group?.add(child.pid)
    if (gate !== null) openGate(child, gate)
    resolve({ process: child, pid: child.pid })
  }
  return promise
}

function spawnDetached(launch: Launch, stdin: 'ignore' | 'pipe'): ChildProcess {
  try {
    return spawn(launch.program, launch.args, {
      ...(launch.uid === null ? {} : { uid: launch.uid, gid: launch.uid }),
      env: launch.env,
      cwd: launch.cwd,
      stdio: [stdin, 'pipe', 'pipe', ...launch.inherit, ...(launch.gate ? (['pipe'] as const) : [])],
      // A session and process group of its own, to be ended as one.
      detached: true,
    })
  } finally {
    for (const fd of launch.inherit) closeSync(fd)
  }
}

function openGate(child: ChildProcess, text: string): void {
  const pipe = child.stdio.at(-1)
  if (!(pipe instanceof Writable)) throw new Error('the box has no way to take its arguments')
  // It may die before it has read them; its end tells enough.
  pipe.on('error', () => {})
  pipe.end(text)
}

function gateText(args: readonly string[]): string {
  // One argument must not become two.
  if (args.some((arg) => arg.includes('\0'))) throw new Error('a path or variable of a box holds a NUL')
  return args.map((arg) => `${arg}\0`).join('')
}

function watchOver(
  child: ChildProcess,
  pid: number,
  launch: Launch,
  limits: Limits,
  group: MemoryGroup | null,
): LiveBox {
  let why: Ended | null = null
  let exhausted = false
  let victims: readonly ProcessRow[] = []
  const { promise, resolve, reject } = Promise.withResolvers<Exit>()

  const wall = Number.isFinite(limits.wall) ? setTimeout(stop, limits.wall, 'wall') : undefined
  child.on('exit', (code, signal) => {
    const how = launch.keeper ? passedOn(code, signal) : { code, signal }
    settle().then(() => resolve({ ...how, ended: why ?? reason(how.signal) }), reject)
  })
  return { child, pid, launch, limits, group, stop, exit: promise.finally(() => clearTimeout(wall)) }

  function stop(reason: Ended): void {
    if (why !== null || !isRunning()) return
    why = reason
    victims = family(readProcessTable(), pid)
    const inside = victims.filter((row) => row.parent === pid)
    if (!launch.keeper || inside.length === 0) killGroup(pid)
    // The first process inside takes all others with it, and the keeper waits for them.
    for (const row of inside) kill(row.pid)
    setTimeout(() => isRunning() && killGroup(pid), 500).unref()
  }

  function isRunning(): boolean {
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
      await sleep(5)
    }
    exhausted = group?.exhausted() ?? false
    await Promise.all([group?.remove(), launch.release()])
  }

  function survivors(): number[] {
    if (group) return group.pids()
    // A keeper that ended by itself has waited for all.
    if (launch.keeper && why === null) return []
    const table = readProcessTable()
    const same = victims.filter((row) => table.get(row.pid)?.started === row.started).map((row) => row.pid)
    return [...same, ...family(table, pid).map((row) => row.pid)]
  }
}

/** A keeper tells the signal that ended the program as the shell does: 128 and its number. */
function passedOn(code: number | null, signal: string | null): { code: number | null; signal: string | null } {
  const name = code === null ? undefined : SIGNALS.get(code - 128)
  return name === undefined ? { code, signal } : { code: null, signal: name }
}

const killGroup = (pid: number): void => kill(-pid)

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}
