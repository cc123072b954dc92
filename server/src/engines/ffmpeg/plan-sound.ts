/** What becomes of one audio track: taken over as it is, or coded anew. Pure. */
import { Failure } from '../../core/errors.ts'
import type { Container } from './containers.ts'
import { AUDIO_ENCODERS, type AudioEncoder, audioArgs } from './encoders.ts'
import { soundFilters } from './filters.ts'
import type { AudioStream } from './media.ts'
import type { CodedSound, Copied } from './planned.ts'
import type { SoundWishes, Wishes } from './wishes.ts'

interface Around {
  filename: string
  ext: string
  mayCopy: boolean
  /** Its times are not to be believed. */
  counted: boolean
  /** Of the result. */
  seconds: number | null
}

const changes = ({ volume, normalize, fadeIn, fadeOut, reverse, sampleRate, channels }: SoundWishes): boolean =>
  volume !== 1 ||
  normalize ||
  fadeIn > 0 ||
  fadeOut > 0 ||
  reverse !== false ||
  sampleRate !== undefined ||
  channels !== undefined

/** Samples a second an encoder knows; the others know all. */
const LOW = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
const RATES: Partial<Record<AudioEncoder, readonly number[]>> = {
  libmp3lame: LOW,
  mp2: [16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
  libopus: [8000, 12_000, 16_000, 24_000, 48_000],
  ac3: [32_000, 44_100, 48_000],
  eac3: [32_000, 44_100, 48_000],
  wmav2: [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000],
  libspeex: [8000, 16_000, 32_000],
  aac: [...LOW, 64_000, 88_200, 96_000],
}
const STEREO_AT_MOST = new Set<AudioEncoder>(['libmp3lame', 'mp2', 'wmav2', 'libspeex', 'adpcm_ms'])
/** Bits a second beyond which an encoder refuses. */
const MOST: Partial<Record<AudioEncoder, number>> = { libmp3lame: 320_000, mp2: 384_000, ac3: 640_000, wmav2: 320_000 }

const nearest = (known: readonly number[], wanted: number): number =>
  known.reduce((best, each) => (Math.abs(each - wanted) < Math.abs(best - wanted) ? each : best))

/** As it was: two bytes a sample do not hold three. */
function usualEncoder(stream: AudioStream, container: Container): AudioEncoder {
  const [first = 'aac', ...others] = container.audio?.encoders ?? []
  const finer = first.replace('_s16', '_s24')
  return (stream.depth ?? 16) > 16 ? (others.find((each) => each === finer) ?? first) : first
}

/** An areverse holds all of it in memory, four bytes a sample. */
const REVERSIBLE = 2 ** 30
function refuseLong({ sampleRate, channels }: AudioStream, { reverse }: SoundWishes, seconds: number | null): void {
  if (reverse !== false && (seconds ?? 0) * sampleRate * channels * 4 > REVERSIBLE)
    throw new Failure('processing_failed', 'The sound is too long to be reversed. Cut it with cut_start and cut_end.')
}

/** What a player takes so many channels for, where the file does not say. */
const LAYOUTS = ['', 'mono', 'stereo', '3.0', 'quad', '5.0', '5.1', '6.1', '7.1']

/** Encoders refuse channels of which nobody knows where they belong. */
const placed = ({ layout, channels }: AudioStream): string[] =>
  (layout === '' || layout === 'unknown') && LAYOUTS[channels] ? [`aformat=channel_layouts=${LAYOUTS[channels]}`] : []

/** The time of a sample is its place among all. */
const BY_SAMPLES = 'asetpts=N/SR/TB'

/** Layouts Opus knows: others of as many channels are brought to one of them. */
const OPUS_LAYOUTS = 'aformat=channel_layouts=7.1|6.1|5.1|5.0|quad|stereo|mono'

export function planSound(
  stream: AudioStream,
  { sound, tempo }: Wishes,
  container: Container,
  { filename, ext, mayCopy, counted, seconds }: Around,
): Copied<AudioStream> | CodedSound {
  if (sound === null || container.audio === null)
    throw new Failure('processing_failed', `There is no place for sound in ${ext}.`)
  const { encoder: asked, bitrate, control } = sound
  const changed = changes(sound) || tempo !== 1
  if (asked === 'copy') {
    const why = (reason: string): Failure => new Failure('processing_failed', `The sound cannot be copied: ${reason}`)
    if (changed) throw why('other options change it. Leave audio_codec at auto.')
    if (!container.audio.holds.includes(stream.codec))
      throw why(`it is coded as ${stream.codec}, which ${ext} does not hold. Leave audio_codec at auto.`)
    return { stream, copy: true }
  }
  const wanted = asked === 'auto' ? stream.codec : AUDIO_ENCODERS[asked].codec
  const same = wanted === stream.codec && container.audio.holds.includes(stream.codec)
  const fits = asked === 'auto' ? container.audio.copies.includes(stream.codec) : same
  if (mayCopy && !changed && bitrate === undefined && control === 'auto' && fits) return { stream, copy: true }
  if (stream.channels === 0 || stream.sampleRate === 0)
    throw new Failure('processing_failed', `The sound of "${filename}" could not be read: it is damaged.`)
  refuseLong(stream, sound, seconds)
  const encoder = asked === 'auto' ? usualEncoder(stream, container) : asked
  const { coding, filters } = coded(stream, sound, encoder, { tempo, seconds })
  return { stream, copy: false, coding, filters: counted ? [BY_SAMPLES, ...filters] : filters }
}

function coded(
  stream: AudioStream,
  sound: SoundWishes,
  encoder: AudioEncoder,
  { tempo, seconds }: { tempo: number; seconds: number | null },
): Pick<CodedSound, 'coding' | 'filters'> {
  const channels = sound.channels ?? Math.min(stream.channels, STEREO_AT_MOST.has(encoder) ? 2 : 8)
  const bitrate = sound.bitrate === undefined ? undefined : Math.min(sound.bitrate, MOST[encoder] ?? sound.bitrate)
  const known = RATES[encoder]
  // Normalising works at a rate of its own.
  const rate = sound.sampleRate ?? (known === undefined && !sound.normalize ? undefined : stream.sampleRate)
  return {
    coding: [
      ...audioArgs(encoder, { bitrate, control: sound.control, channels }),
      ...(rate === undefined ? [] : ['-ar:a', String(known === undefined ? rate : nearest(known, rate))]),
      ...(channels === stream.channels ? [] : ['-ac:a', String(channels)]),
    ],
    filters: [
      ...soundFilters(sound, tempo, seconds),
      ...placed(stream),
      ...(encoder === 'libopus' && channels > 2 ? [OPUS_LAYOUTS] : []),
    ],
  }
}
