/**
 * How programs are kept warm for what is quick. Nearly all of their time goes into a box and into loading libraries, which
 * `warm-program.c` does once: it forks for every file, and the child closes itself in before it looks at it, as those of
 * LibreOffice do (docs/adr/0011-office-zygote.md). Answers null where the usual way has to be gone.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { InputFile, ResidentKind, Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import { YARD_INSIDE } from '../resident/forked.ts'

const ROOT = join(import.meta.dirname, '../../../..')
/** Built by setup where there is a compiler. */
const HELPER = join(ROOT, '.tools/bin/warm-program.so')
/** Whether anything can be kept warm here. */
export const warmHelper = existsSync(HELPER)
const INSIDE = '/opt/reforge/warm-program.so'

const MB = 2 ** 20
/** A child may get a copy of the file, or write one; a bigger one takes longer to copy than a cold start does. */
const MOST = 32 * MB
/** Where the box is somebody else than we are, a child has the file itself (see resident/task-folder.ts). */
const COPIED = process.getuid?.() !== 0

interface Habits {
  env?: Readonly<Record<string, string>>
  /** How long one file may take, in milliseconds. */
  timeout?: number
  /** Seconds of work that one may take, where that is less. */
  cpu?: number
  /** Bytes that its child may use. */
  memory?: number
}

export const warmKind = (
  id: string,
  program: string,
  { env, timeout = 60_000, cpu, memory = 2048 * MB }: Habits = {},
): ResidentKind => ({
  id,
  recycleAfter: 2000,
  timeout,
  forks: { ...(cpu && { cpu }), memory, file: 2 * MOST, disk: 4 * MOST },
  spec: {
    command: (at) => [program, '--warm', at(YARD_INSIDE), at('/tmp/home')],
    env: (at) => ({ ...env, LD_PRELOAD: at(INSIDE) }),
    readOnly: { [INSIDE]: HELPER },
    // Of all children together; each has its own limits as well.
    limits: { memory: 4096 * MB, addressSpace: null, disk: 4096 * MB, processes: 512 },
  },
})

const impatientKind = (...which: Parameters<typeof warmKind>): ResidentKind => {
  const kind = warmKind(...which)
  return { ...kind, forks: { ...kind.forks, impatient: true } }
}

export interface WarmRun {
  input: InputFile
  /** Name of the result in the folder of the hop, or what the program makes the names of several from. */
  output: string
  /** Where there are several: what they are all called. */
  outputs?: RegExp
  /** Standard output is the result; else the program writes it itself, under the name it is given. */
  fromStdout?: true
  args(input: string, output: string): readonly string[]
}

export interface Said {
  /** Or it failed, and said why. */
  ok: boolean
  words: string
}

/** As many as the helper takes, with room for the program's name, and in all. */
const [MOST_ARGS, MOST_LETTERS] = [250, 32_000]

/** They travel one a line: whatever would be read as two, or be cut off, goes the usual way. */
const canTravel = (args: readonly string[]): boolean =>
  args.length <= MOST_ARGS &&
  Buffer.byteLength(args.join('\n')) <= MOST_LETTERS &&
  !args.some((arg) => arg.includes('\n') || arg.includes('\0'))

/** Nothing is known of the file then. */
const TRY_COLD = new Set(['unavailable', 'lost', 'refused', 'box-failed', 'crashed', 'no-output'])

export type Warm = (work: Pick<Work, 'ask' | 'dir'>, run: WarmRun) => Promise<Said | null>

/** One program; `id` names it among all that are kept warm. */
export function keepWarm(...which: Parameters<typeof warmKind>): Warm {
  const kind = warmHelper ? impatientKind(...which) : null
  return async (work, { input, output, outputs, fromStdout, args }) => {
    if (kind === null || (input.size > MOST && (COPIED || !fromStdout))) return null
    const name = `in.${input.format}`
    const given = args(name, `out/${output}`)
    if (!canTravel(given)) return null
    const order = { input: name, output, args: given.join('\n') }
    const question = { ...order, ...(fromStdout && { stdout: output }), ...(outputs && { outputs: outputs.source }) }
    const to = outputs ? work.dir : join(work.dir, output)
    const { status, words } = await work.ask(kind, question, input.path, to)
    // It would take as long again.
    if (status === 'timeout') throw new Failure('engine_timeout', 'The conversion took longer than allowed.')
    return TRY_COLD.has(String(status)) ? null : { ok: status === 'ok', words: String(words) }
  }
}
