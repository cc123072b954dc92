/** Runs ffmpeg once in a box: behind other work in line, with bounded threads, telling how far it is. */
import type { Work } from '../../catalog/engine.ts'
import type { Ext } from '../../catalog/formats.ts'
import type { BoxResult, Limits } from '../../ports/sandbox.ts'
import { THREADS } from '../kit/threads.ts'
import { type Running, tool } from '../kit/tool.ts'
import { guards } from './demuxers.ts'
import { explain } from './explain.ts'
import { createProgress } from './progress.ts'

const NICE = '/usr/bin/nice'
export const FFMPEG = '/usr/bin/ffmpeg'

const GB = 2 ** 30
const HOUR = 3600
/** How long a task may take is the server's setting; here is only what keeps a run from staying for ever. */
const LIMITS: Partial<Limits> = {
  wall: 24 * HOUR * 1000,
  cpu: 96 * HOUR,
  memory: 3 * GB,
  addressSpace: null,
  file: 64 * GB,
  disk: 128 * GB,
  processes: 512,
  output: 64 * 2 ** 20,
}

export interface FfmpegRun {
  /** Options before each input, such as `-ss`; by the number of the input where they differ. */
  before?: readonly string[] | ((index: number) => readonly string[])
  /** Everything behind the inputs, the name of the output included. */
  after: readonly string[]
  /** How long the result is, for the progress; null when nobody knows. */
  seconds: number | null
  /** The part of the whole work this run is, in percent: `[0, 50]` for the first of two passes. */
  share?: readonly [from: number, to: number]
  limits?: Partial<Limits>
}

/** The whole command; inputs as the program sees them. Pure. */
export const commandOf = (
  inputs: readonly { format: Ext; path: string }[],
  { before = [], after }: Pick<FfmpegRun, 'before' | 'after'>,
  pixels: number,
): readonly [program: string, ...args: string[]] => [
  ...([NICE, '-n', '10', FFMPEG, '-hide_banner', '-nostdin', '-y', '-v', 'error', '-nostats'] as const),
  ...['-progress', 'pipe:1', '-stats_period', '0.5', '-filter_threads', String(THREADS)],
  ...inputs.flatMap(({ format, path }, index) => [
    ...guards(format, pixels),
    ...['-threads', String(THREADS), ...(typeof before === 'function' ? before(index) : before), '-i', `file:${path}`],
  ]),
  ...['-threads', String(THREADS), ...after],
]

export async function ffmpeg(
  work: Running & Pick<Work, 'input' | 'progress' | 'limits'>,
  { seconds, share = [0, 100], limits, ...run }: FfmpegRun,
): Promise<BoxResult> {
  const progress = createProgress(seconds, share, work.progress)
  const result = await tool(work, {
    program: NICE,
    args(paths) {
      const inputs = work.inputs.map(({ format }, index) => ({ format, path: paths[index] ?? '' }))
      return commandOf(inputs, run, work.limits.pixels).slice(1)
    },
    limits: { ...LIMITS, ...limits },
    onOutput: progress.read,
    explain: (words) => explain(words, work.input.filename),
  })
  progress.end()
  return result
}
