/** The sandbox port over anything that can prepare a `Launch`: collects output, keeps the limits, hands out residents. */
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BoxResult, BoxSpec, Limits, Profile, Resident, RunOptions, Sandbox } from '../ports/sandbox.ts'
import { RESIDENT_LIMITS, RUN_LIMITS } from './limits.ts'
import { type LiveBox, startBox } from './live-box.ts'
import type { MemoryGroups } from './memory-group.ts'
import { createPatrol, memoryOf } from './patrol.ts'
import { family, readProcessTable } from './process-table.ts'
import type { Launch } from './spawn-box.ts'

export interface Closing {
  kind: Sandbox['kind']
  profiles: readonly Profile[]
  /** Null: memory is watched, not limited by the kernel. */
  memory: MemoryGroups | null
  prepare(spec: BoxSpec, limits: Limits): Promise<Launch>
  /** Removes what serves all boxes. */
  dispose(): Promise<void>
}

const STDERR_KEPT = 64 * 1024
const CANCELED: BoxResult = { code: null, signal: null, ended: 'canceled', stdout: '', stderr: '' }

export function createLauncher({ kind, profiles, memory, prepare, dispose }: Closing): Sandbox {
  const live = new Set<LiveBox>()
  const patrol = createPatrol()
  let closed = false

  async function open(spec: BoxSpec, limits: Limits, stdin: 'ignore' | 'pipe'): Promise<LiveBox> {
    if (closed) throw new Error('the sandbox is closed')
    const profile = spec.profile ?? 'strict'
    if (!profiles.includes(profile)) throw new Error(`the ${profile} profile needs more than ${kind} can give`)
    const launch = await prepare(spec, limits)
    const box = await startBox(launch, limits, stdin, launch.gate && memory ? memory.create(limits.memory) : null)
    live.add(box)
    patrol.add(box)
    const leave = (): boolean => live.delete(box)
    box.exit.then(leave, leave)
    if (closed) box.stop('canceled')
    return box
  }

  async function run(spec: BoxSpec, { signal, onOutput }: RunOptions = {}): Promise<BoxResult> {
    if (signal?.aborted) return CANCELED
    const box = await open(spec, { ...RUN_LIMITS, ...spec.limits }, 'ignore')
    const cancel = (): void => box.stop('canceled')
    signal?.addEventListener('abort', cancel)
    if (signal?.aborted) cancel()
    try {
      const stdout = keepHead(box, onOutput)
      const stderr = keepTail(box.child.stderr)
      const streams = new Promise((resolve) => box.child.on('close', resolve))
      const exit = await box.exit
      // Whoever fled from an unboxed program's group may still hold its streams.
      await Promise.race([streams, sleep(1000, undefined, { ref: false })])
      return { ...exit, stdout: stdout(), stderr: stderr() }
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  async function start(spec: BoxSpec): Promise<Resident> {
    const box = await open(spec, { ...RESIDENT_LIMITS, ...spec.limits }, 'pipe')
    const { stdin, stdout, stderr } = box.child
    if (!stdin || !stdout) throw new Error('a resident without streams')
    // Writing to one that has just died is no reason for the server to fall; `gone` tells.
    stdin.on('error', () => {})
    const words = keepTail(stderr)
    return {
      stdin,
      stdout,
      at: box.launch.at,
      gone: box.exit.then((exit) => ({ ...exit, stdout: '', stderr: words() })),
      async memory() {
        const rows = family(readProcessTable(), box.pid)
        return rows.length === 0 ? null : memoryOf(rows.map((row) => row.pid))
      },
      kill: () => box.stop('canceled'),
    }
  }

  return {
    kind,
    profiles,
    run,
    start,
    async close() {
      closed = true
      for (const box of live) box.stop('canceled')
      await Promise.allSettled([...live].map((box) => box.exit))
      await dispose()
    },
  }
}

/** Up to the limit; more ends the run. */
function keepHead({ child, limits, stop }: LiveBox, onOutput: RunOptions['onOutput']): () => string {
  const kept: Buffer[] = []
  const decoder = new StringDecoder('utf8')
  let room = limits.output
  child.stdout?.on('data', (chunk: Buffer) => {
    if (room > 0) kept.push(chunk.subarray(0, Math.min(room, chunk.length)))
    room -= chunk.length
    if (room < 0) stop('output')
    else onOutput?.(decoder.write(chunk))
  })
  return () => Buffer.concat(kept).toString('utf8')
}

/** The last words: programs say at the end what went wrong. */
function keepTail(stream: Readable | null): () => string {
  let tail = Buffer.alloc(0)
  stream?.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-STDERR_KEPT)
  })
  return () => tail.toString('utf8')
}
