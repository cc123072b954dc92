/** Options of sound: how it is coded, how loud and how fast it is, which part of it is kept. */
import { option } from '../option.ts'

export type Titles = Readonly<Record<string, string>>

/** Of what a format can hold; the name of an encoder, as ffmpeg knows it. */
export const audio_codec = (encoders: Titles) =>
  option.choice(
    { auto: 'Automatic', ...encoders, copy: 'Copy as it is' },
    {
      label: 'Audio codec',
      hint: 'How the sound is coded. Automatic takes it over as it is where the format can hold it.',
      default: 'auto',
    },
  )

export const audio_bitrate = (max: number) =>
  option.integer({
    label: 'Audio bitrate',
    hint: 'Bits a second of the sound. More is better and bigger.',
    units: 'kbit/s',
    min: 4,
    max,
  })

const rateControl = option.choice(
  { auto: 'Automatic', cbr: 'Constant', vbr: 'Variable' },
  {
    label: 'Rate control',
    hint: 'Constant spends the same bits on every second, variable as many as the sound needs.',
    default: 'auto',
    more: true,
  },
)
export const audio_rate_control_mp3 = rateControl
export const audio_rate_control = rateControl

const sampleRate = option.choice(
  {
    auto: 'As it is',
    '8000': '8000 Hz',
    '11025': '11025 Hz',
    '16000': '16000 Hz',
    '22050': '22050 Hz',
    '24000': '24000 Hz',
    '32000': '32000 Hz',
    '44100': '44100 Hz',
    '48000': '48000 Hz',
    '88200': '88200 Hz',
    '96000': '96000 Hz',
    '192000': '192000 Hz',
  },
  {
    label: 'Sample rate',
    hint: 'Samples a second. Where the codec does not know it, the nearest it knows is taken.',
    default: 'auto',
  },
)
export const audio_sample_rate_mp3_dts_ac3 = sampleRate
export const audio_sample_rate = sampleRate

const channels = option.choice(
  { 'no-change': 'As it is', mono: 'Mono', stereo: 'Stereo' },
  { label: 'Channels', hint: 'How many channels the sound has.', default: 'no-change' },
)
export const audio_channel_mp3 = channels
export const audio_channel = channels

export const audio_filter_volume = option.number({
  label: 'Volume',
  hint: 'Loudness in percent of the original.',
  units: '%',
  min: 0,
  max: 1000,
  default: 100,
})

export const audio_filter_normalize = option.boolean({
  label: 'Normalise',
  hint: 'Brings the sound to the usual loudness of −16 LUFS.',
  default: false,
})

export const audio_filter_fade_in = option.time({
  label: 'Fade in',
  hint: 'How long the sound takes to come in.',
  units: 's',
  min: 0,
  max: 3600,
  default: 0,
  more: true,
})

export const audio_filter_fade_out = option.time({
  label: 'Fade out',
  hint: 'How long the sound takes to go out at the end.',
  units: 's',
  min: 0,
  max: 3600,
  default: 0,
  more: true,
})

export const audio_filter_reverse = option.boolean({
  label: 'Reverse',
  hint: 'Plays the sound backwards.',
  default: false,
  more: true,
})

export const audio_filter_speed = option.number({
  label: 'Speed',
  hint: 'Speed in percent of the original; the pitch stays.',
  units: '%',
  min: 25,
  max: 400,
  default: 100,
  more: true,
})

export const audio_track = option.integer({
  label: 'Track',
  hint: 'Which sound to take where there are several, counted from 1. Without it, the one a player plays.',
  min: 1,
  max: 64,
  more: true,
})

export const cut_start = option.time({ label: 'Start', hint: 'Where the part to keep begins.', default: 0, min: 0 })
export const cut_end = option.time({
  label: 'End',
  hint: 'Where the part to keep ends. Without it, at the end.',
  min: 0.01,
})

export const strip_metadata = option.boolean({
  label: 'Remove metadata',
  hint: 'Removes titles, chapters, the cover and the like.',
  default: false,
  more: true,
})
