/** Starts what a `Launch` describes, and speaks to it over the descriptors it was given. Ends nothing but a false start. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import type { At, Environment } from '../ports/sandbox.ts'
import type { MemoryGroup } from './memory-group.ts'

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
  /**
   * The program is only the keeper of the box: it tells on the next descriptor who the first process inside is (JSON with
   * `child-pid`), whose end is the end of all others, and ends by itself with the right news. What runs inside is started
   * when something comes on the descriptor after that.
   */
  keeper: boolean
  /** Folders whose bytes count as `disk`, and one whose bytes count as `tmp`. */
  folders: readonly string[]
  tmp: string | null
  at: At
  release(): Promise<void>
}

export interface Spawned {
  child: ChildProcess
  pid: number
}

type Pipe = ChildProcess['stdio'][number]

export function spawnBox(launch: Launch, stdin: 'ignore' | 'pipe', group: MemoryGroup | null): Promise<Spawned> {
  const { promise, resolve, reject } = Promise.withResolvers<Spawned>()
  const gate = launch.gate === null ? null : gateText(launch.gate)
  const child = spawnDetached(launch, stdin)
  child.on('error', reject)
  const { pid } = child
  if (pid === undefined) return promise
  letIn(child, pid, launch, gate, group).then(
    () => resolve({ child, pid }),
    (error) => {
      child.kill('SIGKILL')
      reject(error)
    },
  )
  return promise
}

/** Nothing of it may run before it is in its group. */
async function letIn(
  child: ChildProcess,
  pid: number,
  { keeper, inherit }: Launch,
  gate: string | null,
  group: MemoryGroup | null,
): Promise<void> {
  const at = 3 + inherit.length
  // A keeper makes the box meanwhile: only what is inside need be in the group, and is there first.
  if (!keeper) await group?.add(pid)
  // Nobody has listened yet.
  if (child.exitCode !== null || child.signalCode !== null) throw new Error('the program of the box ended at once')
  if (gate !== null) openGate(child.stdio[at], gate)
  if (keeper) startInside(child, child.stdio[at + 2], group)
}

function startInside(child: ChildProcess, pipe: Pipe, group: MemoryGroup | null): void {
  const start = (): void => openGate(pipe, 'go')
  const end = (): boolean => child.kill('SIGKILL')
  let told = false
  if (!group) start()
  else
    onNews(child, (inside) => {
      if (!told) group.add(inside).then(start, end)
      told = true
    })
}

function spawnDetached(launch: Launch, stdin: 'ignore' | 'pipe'): ChildProcess {
  const pipes = [launch.gate !== null, launch.keeper, launch.keeper].filter(Boolean).map(() => 'pipe' as const)
  try {
    return spawn(launch.program, launch.args, {
      ...(launch.uid === null ? {} : { uid: launch.uid, gid: launch.uid }),
      env: launch.env,
      cwd: launch.cwd,
      stdio: [stdin, 'pipe', 'pipe', ...launch.inherit, ...pipes],
      // A session and process group of its own, to be ended as one.
      detached: true,
    })
  } finally {
    for (const fd of launch.inherit) closeSync(fd)
  }
}

function openGate(pipe: Pipe, text: string): void {
  if (!(pipe instanceof Writable)) throw new Error('the box has no way to take its arguments')
  // It may die before it has read them; its end tells enough.
  pipe.on('error', () => {})
  pipe.end(text)
}

/** Who the first process inside is, once the keeper has told. */
export function onNews({ stdio }: ChildProcess, tell: (pid: number) => void): void {
  const pipe = stdio.at(-2)
  if (!(pipe instanceof Readable)) return
  let text = ''
  pipe.on('error', () => {})
  pipe.setEncoding('utf8').on('data', (part: string) => {
    text += part
    const pid = /"child-pid":\s*(\d+)\D/.exec(text)?.[1]
    if (pid !== undefined) tell(Number(pid))
  })
}

function gateText(args: readonly string[]): string {
  // One argument must not become two.
  if (args.some((arg) => arg.includes('\0'))) throw new Error('a path or variable of a box holds a NUL')
  return args.map((arg) => `${arg}\0`).join('')
}
