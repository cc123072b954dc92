/** Options of moving pictures: how they are coded, their size and their times, their subtitles. */
import type { Ext } from '../formats.ts'
import { option } from '../option.ts'
import type { Titles } from './audio.ts'

/** Of what a format can hold; the name of an encoder, as ffmpeg knows it. */
export const video_codec = (encoders: Titles) =>
  option.choice(
    { auto: 'Automatic', ...encoders, copy: 'Copy as it is' },
    {
      label: 'Video codec',
      hint: 'How the picture is coded. Automatic takes it over as it is where the format can hold it. Without a graphics card that knows the codec, the CPU does the same work.',
      default: 'auto',
    },
  )

/** All but a copy: that has no quality of its own. */
const coded = (encoders: Titles) => ({ video_codec: ['auto', ...Object.keys(encoders)] })

export const video_crf = (encoders: Titles) =>
  option.integer({
    label: 'Quality',
    hint: 'From 0, best and biggest. H.264 and H.265 count to 51 and are usually at 23 and 26, VP9 and AV1 to 63.',
    min: 0,
    max: 63,
    agrees: coded(encoders),
  })

export const video_bitrate = (encoders: Titles) =>
  option.integer({
    label: 'Bitrate',
    hint: 'Bits a second of the picture. Goes before the quality.',
    units: 'kbit/s',
    min: 10,
    max: 400_000,
    agrees: coded(encoders),
  })

export const video_two_pass = option.boolean({
  label: 'Two passes',
  hint: 'Looks at the film first to spend the bitrate where it is needed: better, in twice the time. Needs a bitrate.',
  default: false,
  more: true,
})

export const video_preset = option.choice(
  {
    ultrafast: 'Ultra fast',
    superfast: 'Super fast',
    veryfast: 'Very fast',
    faster: 'Faster',
    fast: 'Fast',
    medium: 'Medium',
    slow: 'Slow',
    slower: 'Slower',
    veryslow: 'Very slow',
  },
  { label: 'Speed of coding', hint: 'Slower makes the file smaller at the same quality.', default: 'fast', more: true },
)

export const video_resolution = option.string({
  label: 'Resolution',
  hint: 'Size of the picture, like 1280x720, or its height, like 720p. Without it, as it is.',
  pattern: /auto|[1-9]\d{1,4}[x:][1-9]\d{1,4}|[1-9]\d{1,4}p/,
  expects: 'a size like 1280x720, or a height like 720p',
  maxLength: 12,
})

export const video_fit = option.choice(
  { fit: 'Fit inside', pad: 'Fit inside, with black bars', crop: 'Fill, cutting off what is over', stretch: 'Stretch' },
  {
    label: 'Fit',
    hint: 'What becomes of a picture with other proportions than the resolution.',
    default: 'fit',
    more: true,
  },
)

export const video_fps = option.number({
  label: 'Frames a second',
  hint: 'How many pictures a second are shown. Without it, as it is.',
  units: 'fps',
  min: 1,
  max: 240,
})

export const video_aspect_ratio = option.string({
  label: 'Aspect ratio',
  hint: 'Proportions in which the picture is shown; it is stretched to them.',
  pattern: /auto|[1-9]\d{0,4}(\.\d{1,4})?:[1-9]\d{0,4}(\.\d{1,4})?/,
  expects: 'proportions like 16:9',
  maxLength: 24,
})

export const video_rotate = option.choice(
  { '0': 'No', '90': '90° clockwise', '180': '180°', '270': '270° clockwise' },
  { label: 'Rotate', hint: 'Turns the picture clockwise.', default: '0' },
)

export const video_flip = option.choice(
  { none: 'No', horizontal: 'Left to right', vertical: 'Upside down', both: 'Both' },
  { label: 'Mirror', hint: 'Mirrors the picture, before it is rotated.', default: 'none', more: true },
)

export const video_deinterlace = option.boolean({
  label: 'Deinterlace',
  hint: 'Makes whole pictures of the half ones of old television.',
  default: false,
  more: true,
})

export const video_speed = option.number({
  label: 'Speed',
  hint: 'Speed in percent of the original, of picture and sound.',
  units: '%',
  min: 25,
  max: 400,
  default: 100,
  more: true,
})

export const video_reverse = option.boolean({
  label: 'Reverse',
  hint: 'Plays picture and sound backwards. For short films: all of it has to fit into memory.',
  default: false,
  more: true,
})

export const video_remove_audio = option.boolean({
  label: 'Remove sound',
  hint: 'Leaves the sound out.',
  default: false,
})

/** @param sounds what the second input may be */
export const video_replace_audio = (sounds: readonly Ext[]) =>
  option.boolean({
    label: 'Replace sound',
    hint: 'Takes the sound of a second input, a sound or a film, instead of that of the film, which is the first. Both begin together; what is longer than the film is left out.',
    default: false,
    more: true,
    joins: sounds,
    agrees: { video_remove_audio: [false] },
  })

export const subtitle_mode = option.choice(
  { soft: 'As a track', hard: 'Burnt into the picture', none: 'Leave out' },
  {
    label: 'Subtitles',
    hint: 'Where subtitles go: into tracks a player can switch, or into the picture for good. Tracks are left out where the format has none.',
    default: 'soft',
  },
)

export const subtitle_track = option.integer({
  label: 'Subtitle track',
  hint: 'Which of the subtitles in the file to burn in, counted from 1.',
  min: 1,
  max: 64,
  default: 1,
  more: true,
  needs: { subtitle_mode: ['hard'] },
})

/** Where subtitles are the result. */
export const subtitle_source = option.integer({
  label: 'Subtitle track',
  hint: 'Which of the subtitles in the file to take, counted from 1. Without it, all, each as a file of its own.',
  min: 1,
  max: 64,
})

export const subtitle_add = option.string({
  label: 'Add subtitles',
  hint: 'The text of an SRT, WebVTT or ASS file to add.',
  maxLength: 400_000,
  multiline: true,
  more: true,
})

export const subtitle_charset = option.choice(
  {
    'utf-8': 'UTF-8',
    'windows-1252': 'Western (Windows-1252)',
    'windows-1250': 'Central European (Windows-1250)',
    'windows-1251': 'Cyrillic (Windows-1251)',
    'windows-1256': 'Arabic (Windows-1256)',
    shift_jis: 'Japanese (Shift JIS)',
    gb18030: 'Chinese (GB 18030)',
    big5: 'Chinese (Big5)',
    'euc-kr': 'Korean (EUC-KR)',
  },
  { label: 'Characters', hint: 'How the letters of the subtitles are written down.', default: 'utf-8' },
)

// A picture out of a film

export const frame_time = option.time({
  label: 'Time',
  hint: 'Which moment to take. Without it, the first picture.',
  default: 0,
  min: 0,
})

export const frame_interval = option.number({
  label: 'Every',
  hint: 'Takes a picture every so many seconds from then on, at most 1000, instead of one.',
  units: 's',
  min: 0.04,
  max: 86_400,
})
