/**
 * The warm processes of a kind that forks: one at a time, shared by all users, because every question has a child of its
 * own that has closed itself in before it looks at a file (docs/adr/0011-office-zygote.md). It is started by the first
 * question, replaced after a number of them, and goes when nobody has asked for long. What cannot be asked is answered
 * `unavailable`: whoever asks has another way.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { ResidentKind } from '../../catalog/engine.ts'
import type { JsonObject } from '../../core/task.ts'
import type { Sandbox } from '../../ports/sandbox.ts'
import { type Forked, folderOf, LOST, startForked } from './forked.ts'
import { layOut, takeResult, takeResults, wordsOf } from './task-folder.ts'
import { createTurns } from './turns.ts'

/** A folder of ours for what such processes share with us, and how to handle what strangers wrote there. */
export interface Yards {
  folder: string
  /** Bytes below a folder; more than `enough` need not be counted. */
  bytesIn(folder: string, enough: number): Promise<number>
  /** Removes a folder, whatever was left in it. */
  remove(folder: string): Promise<void>
}

export interface ForkingLimits {
  busy: number
  idleMemory: number
}

export interface Forking {
  /**
   * `{ status, words }`: what the parent says of the child, and what the child wrote to its log. The file called
   * `question.output` becomes `output`; or that is a folder, to which all go whose names match `question.outputs`.
   */
  ask(question: JsonObject, input: string | null, output: string | null, signal: AbortSignal): Promise<JsonObject>
  warm(): Promise<void>
  close(): Promise<void>
}

const MB = 2 ** 20
const USUAL = { memory: 1024 * MB, file: 512 * MB, disk: 1024 * MB, idle: 600_000 }
const WATCH_EVERY = 250
const INSPECT_AFTER = 1000
const FIRST_PAUSE = 1000
const LONGEST_PAUSE = 60_000

export function createForking(sandbox: Sandbox, kind: ResidentKind, yards: Yards, limits: ForkingLimits): Forking {
  const seconds = kind.timeout / 1000
  const { cpu = seconds, memory, file, disk, idle } = { ...USUAL, ...kind.forks }
  const childLimits = [seconds, cpu, memory / MB, file / MB].map(Math.ceil)
  const turns = createTurns(limits.busy)
  const all = new Set<Forked>()
  let current: Forked | null = null
  let starting: Promise<Forked | null> | null = null
  let failures = 0
  let notBefore = 0
  let rest: NodeJS.Timeout | undefined
  let closed = false

  async function start(): Promise<Forked | null> {
    const yard = join(yards.folder, `${kind.id}-${randomBytes(8).toString('hex')}`)
    const fresh = await startForked(sandbox, kind, yard).catch(() => null)
    if (fresh) {
      all.add(fresh)
      void fresh.gone.then(async () => {
        await yards.remove(yard).catch(() => {})
        all.delete(fresh)
      })
    }
    if (fresh && (await fresh.ready) && !closed) {
      failures = 0
      return fresh
    }
    fresh?.kill()
    notBefore = Date.now() + Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failures)
    failures += 1
    return null
  }

  /** Puts a fresh one in the place of the one there is, which leaves when its last child has ended. */
  async function renew(): Promise<Forked | null> {
    starting ??= start().then((fresh) => {
      const old = current
      starting = null
      current = fresh ?? (old?.alive() ? old : null)
      if (fresh && old) retire(old)
      return current
    })
    return starting
  }

  function retire(old: Forked): void {
    if (old !== current && old.using === 0) old.kill()
  }

  async function ready(): Promise<Forked | null> {
    if (current?.alive()) return current
    return closed || Date.now() < notBefore ? null : await renew()
  }

  /** Nobody waits for a start that takes longer than the other way does. */
  function readyNow(): Forked | null {
    if (!current?.alive()) void ready()
    return current?.alive() ? current : null
  }

  function finished(used: Forked): void {
    retire(used)
    if (used !== current) return
    if (!used.alive() || used.served() >= kind.recycleAfter) {
      if (!closed && (used.alive() || failures === 0)) void renew()
    } else if (used.using === 0) {
      clearTimeout(rest)
      rest = setTimeout(() => inspect(used), INSPECT_AFTER).unref()
    }
  }

  /** Looked at when it has nothing to do: one that has grown is replaced, one that nobody asks goes. */
  async function inspect(unused: Forked): Promise<void> {
    const bytes = (await unused.memory().catch(() => null)) ?? 0
    if (unused !== current || unused.using > 0) return
    const leave = (): void => {
      if (unused !== current || unused.using > 0) return
      current = null
      unused.kill()
    }
    if (bytes > limits.idleMemory) leave()
    else rest = setTimeout(leave, idle).unref()
  }

  /** The kernel limits one file of a child; this is the limit on all of them. */
  function watch(used: Forked, id: string, laid: number): NodeJS.Timeout {
    const most = laid + disk
    return setInterval(async () => {
      if ((await yards.bytesIn(folderOf(used, id), most)) > most) used.cancel(id)
    }, WATCH_EVERY).unref()
  }

  const ask: Forking['ask'] = async (question, input, output, signal) => {
    await turns.enter(signal)
    try {
      const used = kind.forks?.impatient ? readyNow() : await ready()
      signal.throwIfAborted()
      return used === null ? { status: 'unavailable', words: '' } : await askOne(used, question, input, output, signal)
    } finally {
      turns.leave()
    }
  }

  async function askOne(
    used: Forked,
    question: JsonObject,
    input: string | null,
    output: string | null,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const id = randomBytes(16).toString('hex')
    const folder = folderOf(used, id)
    const cancel = (): void => used.cancel(id)
    used.using += 1
    clearTimeout(rest)
    try {
      const laid = await layOut(used.yard, folder, question, input)
      if (!used.alive()) return { status: LOST, words: '' }
      signal.throwIfAborted()
      const asked = used.ask(id, childLimits, kind.timeout)
      signal.addEventListener('abort', cancel, { once: true })
      const watching = watch(used, id, laid)
      const status = await asked.finally(() => clearInterval(watching))
      signal.throwIfAborted()
      const words = await wordsOf(folder)
      if (status !== 'ok' || output === null) return { status, words }
      const { output: name, outputs } = question
      const taken = await (typeof outputs === 'string'
        ? takeResults(folder, new RegExp(outputs), output)
        : takeResult(folder, String(name), output))
      return { status: taken ? 'ok' : 'no-output', words }
    } finally {
      signal.removeEventListener('abort', cancel)
      await yards.remove(folder).catch(() => {})
      used.using -= 1
      finished(used)
    }
  }

  return {
    ask,
    warm: async () => void (await ready()),
    async close() {
      closed = true
      clearTimeout(rest)
      for (const one of all) one.kill()
      await starting
      for (const one of all) one.kill()
      await Promise.all([...all].map(({ gone }) => gone))
      await Promise.all([...all].map(({ yard }) => yards.remove(yard).catch(() => {})))
    },
  }
}
