/**
 * AMR, the sound of telephones, by SoX. Debian's ffmpeg cannot write it, and leaves out the pauses of what it reads: they
 * are coded as silence of so long, which it does not know.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine, Work } from '../catalog/engine.ts'
import { options, type Values } from '../catalog/option.ts'
import * as audio from '../catalog/vocabulary/audio.ts'
import { Failure } from '../core/errors.ts'
import type { At } from '../ports/sandbox.ts'
import { sizeOfMade } from './kit/hop-files.ts'
import { type Running, tool } from './kit/tool.ts'

const PROGRAM = '/usr/bin/sox'
/** The codec itself lies elsewhere on every processor; this comes with it. */
const CODEC = '/usr/share/bug/libsox-fmt-base/presubj'
const LIMITS = { wall: 3_600_000, cpu: 3600 }

/** Built by setup where there is a compiler; without it, pauses are written in a way that not all players know. */
const PAUSES = join(import.meta.dirname, '../../../.tools/bin/amr-pauses.so')
export const writesPauses = existsSync(PAUSES)
const INSIDE = '/opt/reforge/amr-pauses.so'

/** AMR-NB: the bitrates there are, in kbit/s, by SoX's number of each. */
const MODES = [4.75, 5.15, 5.9, 6.7, 7.4, 7.95, 10.2, 12.2]
const BEST = MODES.length - 1

const changing = {
  audio_filter_volume: audio.audio_filter_volume,
  audio_filter_fade_in: audio.audio_filter_fade_in,
  audio_filter_fade_out: audio.audio_filter_fade_out,
  audio_filter_reverse: audio.audio_filter_reverse,
  audio_filter_speed: audio.audio_filter_speed,
  cut_start: audio.cut_start,
  cut_end: audio.cut_end,
}
const telephone = options({ audio_bitrate: audio.audio_bitrate(12), ...changing })
const plain = options({ audio_sample_rate: audio.audio_sample_rate, audio_channel: audio.audio_channel, ...changing })

/** The nearest there is to what was asked. */
const modeOf = (kbits: number | undefined): number =>
  kbits === undefined
    ? BEST
    : MODES.reduce((best, each, mode) => (Math.abs(each - kbits) < Math.abs(MODES[best]! - kbits) ? mode : best), BEST)

/** What is done to the sound on its way, in ffmpeg's order. */
function effects(wishes: Values<typeof changing>): string[] {
  const { cut_start: start, cut_end: end, audio_filter_speed: speed, audio_filter_volume: volume } = wishes
  const [fadeIn, fadeOut] = [wishes.audio_filter_fade_in, wishes.audio_filter_fade_out]
  return [
    ...(start > 0 || end !== undefined ? ['trim', String(start), ...(end === undefined ? [] : [`=${end}`])] : []),
    ...(wishes.audio_filter_reverse ? ['reverse'] : []),
    ...(speed === 100 ? [] : ['tempo', '-s', String(speed / 100)]),
    ...(volume === 100 ? [] : ['vol', String(volume / 100)]),
    ...(fadeIn > 0 ? ['fade', 't', String(fadeIn)] : []),
    ...(fadeOut > 0 ? ['fade', 't', '0', '-0', String(fadeOut)] : []),
  ]
}

const coding = ({ audio_bitrate }: Values<typeof telephone>): string[] => [
  ...['-t', 'amr-nb', '-r', '8000', '-c', '1', '-C', String(modeOf(audio_bitrate)), 'out.amr'],
]

const samples = ({ audio_sample_rate: rate, audio_channel: channels }: Values<typeof plain>): string[] => [
  ...['-t', 'wav', '-b', '16', ...(rate === 'auto' ? [] : ['-r', rate])],
  ...(channels === 'no-change' ? [] : ['-c', channels === 'mono' ? '1' : '2']),
  'out.wav',
]

/** The head of a file without any sound in it. */
const EMPTY = { amr: 6, wav: 44 }

async function sounding(
  work: Running & Pick<Work, 'input' | 'dir'>,
  wishes: Values<typeof changing>,
  output: readonly string[],
  to: keyof typeof EMPTY,
): Promise<readonly string[]> {
  const { filename, format } = work.input
  const { cut_start: start, cut_end: end } = wishes
  const fail = (message: string): Failure => new Failure('processing_failed', message)
  if (end !== undefined && end <= start) throw fail('cut_end must be later than cut_start.')
  await tool(work, {
    program: PROGRAM,
    // Words only of what fails; no noise is added; what does not fit into memory goes into the folder of the hop.
    args: ([input]) => [
      ...['-V1', '--no-dither', '--temp', '.', ...(format === 'wav' ? ['-t', 'wav'] : []), input],
      ...output,
      ...effects(wishes),
    ],
    limits: LIMITS,
    ...(to === 'amr' && writesPauses
      ? { readOnly: { [INSIDE]: PAUSES }, env: (at: At) => ({ LD_PRELOAD: at(INSIDE) }) }
      : {}),
    explain(words) {
      const [, codec] = /WAV file encoding `([\w -]{1,40})' is not supported/.exec(words) ?? []
      return codec === undefined ? null : `The sound in "${filename}" is coded as ${codec}. Convert it to wav first.`
    },
  })
  if ((await sizeOfMade(work, `out.${to}`)) <= EMPTY[to])
    throw fail(start > 0 ? `cut_start is behind the end of "${filename}".` : `There is no sound in "${filename}".`)
  return [`out.${to}`]
}

export const sox: Engine = {
  id: 'sox',
  title: 'SoX',
  tools: [
    { program: PROGRAM, debian: 'sox' },
    { program: CODEC, debian: 'libsox-fmt-base' },
  ],
  can: [
    {
      ...{ does: 'convert', from: ['wav'], to: ['amr'], cost: 2, heavy: true, options: telephone },
      run: (work: Work<typeof telephone>) => sounding(work, work.options, coding(work.options), 'amr'),
    },
    {
      ...{ does: 'convert', from: ['amr'], to: ['wav'], cost: 1, heavy: true, options: plain },
      run: (work: Work<typeof plain>) => sounding(work, work.options, samples(work.options), 'wav'),
    },
  ],
}
