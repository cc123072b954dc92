/** Plays MIDI into a file by FluidSynth: notes have no sound of their own, the instruments are those of a free sound font. */
import { open } from 'node:fs/promises'
import type { Engine, Work } from '../catalog/engine.ts'
import { option, options } from '../catalog/option.ts'
import * as audio from '../catalog/vocabulary/audio.ts'
import { Failure } from '../core/errors.ts'
import { removeMade, sizeOfMade } from './kit/hop-files.ts'
import { tool } from './kit/tool.ts'

const PROGRAM = '/usr/bin/fluidsynth'
const INSTRUMENTS = '/usr/share/sounds/sf2/TimGM6mb.sf2'
const COPY = '/usr/bin/dd'
const MADE = 'out.wav'
const BARE = 'bare.mid'

const midi_reverb = option.boolean({
  label: 'Reverb',
  hint: 'The instruments sound as in a room.',
  default: true,
})
const midi_chorus = option.boolean({
  label: 'Chorus',
  hint: 'Several of an instrument sound together, a little apart.',
  default: true,
})
const declared = options({
  midi_reverb,
  midi_chorus,
  audio_filter_volume: audio.audio_filter_volume,
  audio_sample_rate: audio.audio_sample_rate,
})
type Playing = Work<typeof declared>

/** As loud as most of what is played, and hardly ever too loud. */
const GAIN = 0.6
/** It knows no more. */
const MOST_RATE = 96_000
const BYTES = 4

const rateOf = (asked: string): number => (asked === 'auto' ? 44_100 : Math.min(Number(asked), MOST_RATE))

export const fluidsynthArgs = (input: string, wishes: Playing['options']): string[] => [
  // No notes from elsewhere, no prompt, nothing said.
  ...['-n', '-i', '-q', '-T', 'wav', '-O', 's16', '-F', MADE, '-r', String(rateOf(wishes.audio_sample_rate))],
  ...['-g', String((GAIN * wishes.audio_filter_volume) / 100)],
  ...['-R', wishes.midi_reverb ? '1' : '0', '-C', wishes.midi_chorus ? '1' : '0', INSTRUMENTS, input],
]

/** Some are wrapped as sounds of Windows are: `RIFF`, a length, `RMIDdata`, a length, and then the file itself. */
const WRAPPING = 20

async function isWrapped(path: string): Promise<boolean> {
  await using file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(WRAPPING), 0, WRAPPING, 0)
  return /^RIFF....RMIDdata/s.test(buffer.toString('latin1'))
}

const unwrap = (work: Playing) =>
  tool(work, {
    program: COPY,
    args: ([input]) => [`if=${input}`, `of=${BARE}`, 'bs=64K', 'iflag=skip_bytes', `skip=${WRAPPING}`, 'status=none'],
  })

/** The head of the file and one empty moment are always there. */
const SILENCE = 1024
/** A library of it sets memory aside for a sound card, as a file that has no name; no limit may be below. */
const SET_ASIDE = 80 * 2 ** 20

async function play(work: Playing): Promise<readonly string[]> {
  const { filename, path } = work.input
  const wrapped = await isWrapped(path)
  if (wrapped) await unwrap(work)
  // A few bytes may say that the music goes on for years.
  const most = Math.ceil(work.limits.seconds * rateOf(work.options.audio_sample_rate) * BYTES) + SILENCE
  await tool(work, {
    program: PROGRAM,
    args: ([input]) => fluidsynthArgs(wrapped ? BARE : input, work.options),
    limits: { wall: 1_800_000, cpu: 1800, file: Math.max(most, SET_ASIDE) },
  })
  if (wrapped) await removeMade(work, BARE)
  const size = await sizeOfMade(work, MADE)
  if (size > most)
    throw new Failure('processing_failed', `"${filename}" lasts longer than this server takes of sound and film.`)
  if (size <= SILENCE)
    throw new Failure('processing_failed', `There are no notes in "${filename}": it is empty or damaged.`)
  return [MADE]
}

export const fluidsynth: Engine = {
  id: 'fluidsynth',
  title: 'FluidSynth',
  tools: [
    { program: PROGRAM, debian: 'fluidsynth' },
    { program: INSTRUMENTS, debian: 'timgm6mb-soundfont' },
  ],
  can: [{ does: 'convert', from: ['mid'], to: ['wav'], cost: 2, heavy: true, options: declared, run: play }],
}
