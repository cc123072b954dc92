/** The options of compressing films and sound. Names and conditions as the public ones have them; the rest in their manner. */
import { option, options } from '../../catalog/option.ts'
import type { Speed } from './encoders.ts'

const compress_video = option.choice(
  {
    by_percentage: 'To a share of the size',
    by_size: 'To a size',
    by_video_quality: 'By quality',
    by_resolution: 'By resolution',
    by_max_bitrate: 'To a bitrate',
  },
  { label: 'Method', hint: 'What decides how small the film becomes.', default: 'by_percentage' },
)

const NVENC = 'There is no graphics card here: the processor does it, and the result tells so.'
const codec = { label: 'Video codec', hint: `What the pictures are written in. ${NVENC}` } as const
const X264 = { libx264: 'H.264' } as const
const X265 = { libx265: 'H.265 (HEVC)' } as const
const AV1 = { libsvtav1: 'AV1' } as const
const H264_CARD = { h264_nvenc: 'H.264 on a graphics card' } as const
const HEVC_CARD = { hevc_nvenc: 'H.265 on a graphics card' } as const

const video_compress_quality_percentage = option.integer({
  label: 'Share',
  hint: 'How big the result is, in percent of the file; where that cannot be reached, the smallest there is.',
  units: '%',
  min: 1,
  max: 100,
  default: 60,
  needs: { compress_video: ['by_percentage'] },
})

const video_compress_max_filesize = option.size({
  label: 'Largest size',
  hint: 'The result has this size or up to 3 % less, or the task fails and tells the smallest reachable size.',
  units: 'MB',
  unit: 'MB',
  min: 1000,
  needs: { compress_video: ['by_size'] },
})

/** The quality of a codec, as its encoder counts it. */
const crf = <const C extends string>(usual: number, max: number, codecs: readonly C[]) =>
  option.integer({
    label: 'Quality',
    hint: `Constant rate factor: from 18, hardly any loss, to ${max}, smallest.`,
    min: 18,
    max,
    default: usual,
    needs: { compress_video: ['by_video_quality'], video_codec_compress: codecs },
  })

const video_compress_max_bitrate = option.integer({
  label: 'Bitrate',
  hint: 'The pictures take no more than this a second, over the time of the buffer.',
  units: 'kbit/s',
  min: 16,
  max: 1_000_000,
  needs: { compress_video: ['by_max_bitrate'] },
})

const video_compressor_bufsize = option.integer({
  label: 'Buffer',
  hint: 'Over how many bits the bitrate is held; small ones keep it even. Without it, twice the bitrate.',
  units: 'kbit',
  min: 8,
  max: 2_000_000,
  needs: { compress_video: ['by_max_bitrate'] },
  more: true,
})

const video_compression_resize_method = option.choice(
  {
    preset_resolutions: 'To a usual size',
    by_width_keep_ar: 'By width',
    by_height_keep_ar: 'By height',
    by_width_height: 'By width and height',
  },
  {
    label: 'Resize',
    hint: 'How the size of the picture is given. Nothing is enlarged.',
    default: 'preset_resolutions',
    needs: { compress_video: ['by_resolution'] },
  },
)

const video_compression_resolution_preset = option.choice(
  {
    '7680:4320': '8K',
    '3840:2160': '4K',
    '2560:1440': '1440p',
    '1920:1080': '1080p',
    '1366:768': '768p',
    '1280:720': '720p',
    '1152:648': '648p',
    '1024:576': '576p',
    '720:480': '480p',
    '480:360': '360p',
    '352:240': '240p',
    '256:144': '144p',
  },
  {
    label: 'Size',
    hint: 'The picture fits within it and keeps its proportions.',
    default: '1280:720',
    needs: { video_compression_resize_method: ['preset_resolutions'] },
  },
)

const side = { units: 'px', min: 16, max: 16_384 } as const

const video_custom_width_compress = option.integer({
  label: 'Width',
  hint: 'Width of the picture.',
  ...side,
  needs: { video_compression_resize_method: ['by_width_keep_ar', 'by_width_height'] },
})

const video_custom_height_compress = option.integer({
  label: 'Height',
  hint: 'Height of the picture.',
  ...side,
  needs: { video_compression_resize_method: ['by_height_keep_ar', 'by_width_height'] },
})

const video_compress_speed = option.choice(
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
  { label: 'Speed', hint: 'Slow makes better use of the bytes.', default: 'medium', more: true },
)

const isCompatibleWithOldDevices_compress = option.boolean({
  label: 'For old devices',
  hint: 'Writes the plainest kind of H.264, which old phones and televisions can show.',
  default: false,
  needs: { video_codec_compress: ['libx264', 'h264_nvenc'] },
  more: true,
})

/** What does not hang on the codec. */
const whatever = {
  compress_video,
  video_compress_quality_percentage,
  video_compress_max_filesize,
  video_compress_max_bitrate,
  video_compressor_bufsize,
  video_compression_resize_method,
  video_compression_resolution_preset,
  video_custom_width_compress,
  video_custom_height_compress,
}
const h264 = { video_compress_crf_x264: crf(28, 51, ['libx264', 'h264_nvenc']), isCompatibleWithOldDevices_compress }
const video_compress_crf_x265 = crf(30, 51, ['libx265', 'hevc_nvenc'])

/** By what the container may hold. */
export const videoCompressOptions = {
  all: options({
    ...whatever,
    video_codec_compress: option.choice(
      { ...X264, ...X265, ...AV1, ...H264_CARD, ...HEVC_CARD },
      { ...codec, default: 'libx264' },
    ),
    ...h264,
    video_compress_crf_x265,
    video_compress_crf_av1: crf(40, 63, ['libsvtav1']),
    video_compress_speed,
  }),
  broadcast: options({
    ...whatever,
    video_codec_compress: option.choice(
      { ...X264, ...X265, ...H264_CARD, ...HEVC_CARD },
      { ...codec, default: 'libx264' },
    ),
    ...h264,
    video_compress_crf_x265,
    video_compress_speed,
  }),
  h264: options({
    ...whatever,
    video_codec_compress: option.choice({ ...X264, ...H264_CARD }, { ...codec, default: 'libx264' }),
    ...h264,
    video_compress_speed,
  }),
  web: options({
    ...whatever,
    video_codec_compress: option.choice(
      { 'libvpx-vp9': 'VP9', ...AV1 },
      { label: 'Video codec', hint: 'What the pictures are written in.', default: 'libvpx-vp9' },
    ),
    video_compress_crf_vp9: crf(38, 63, ['libvpx-vp9']),
    video_compress_crf_av1: crf(40, 63, ['libsvtav1']),
    video_compress_speed,
  }),
} as const

/** Every option of the sets above, as they are read; each capability declares some of them. */
export interface VideoWishes {
  readonly compress_video: 'by_percentage' | 'by_size' | 'by_video_quality' | 'by_resolution' | 'by_max_bitrate'
  readonly video_codec_compress?: string
  readonly video_compress_quality_percentage: number
  readonly video_compress_max_filesize?: number | undefined
  readonly video_compress_crf_x264?: number
  readonly video_compress_crf_x265?: number
  readonly video_compress_crf_av1?: number
  readonly video_compress_crf_vp9?: number
  readonly video_compress_max_bitrate?: number | undefined
  readonly video_compressor_bufsize?: number | undefined
  readonly video_compression_resize_method:
    | 'preset_resolutions'
    | 'by_width_keep_ar'
    | 'by_height_keep_ar'
    | 'by_width_height'
  readonly video_compression_resolution_preset: string
  readonly video_custom_width_compress?: number | undefined
  readonly video_custom_height_compress?: number | undefined
  readonly video_compress_speed?: Speed
  readonly isCompatibleWithOldDevices_compress?: boolean
}

/** For sound. */
export const audioCompressOptions = options({
  compress_audio: option.choice(
    { by_bitrate: 'By bitrate', by_size: 'To a size' },
    { label: 'Method', hint: 'Without it, the size counts where one is given, else the bitrate.' },
  ),
  audio_compress_bitrate: option.integer({
    label: 'Bitrate',
    hint: 'How much a second of sound takes.',
    units: 'kbit/s',
    min: 16,
    max: 512,
    default: 96,
    agrees: { compress_audio: ['by_bitrate'] },
  }),
  audio_compress_max_filesize: option.size({
    label: 'Largest size',
    hint: 'The result has this size or up to 3 % less, or the task fails and tells the smallest reachable size.',
    units: 'MB',
    unit: 'MB',
    min: 1000,
    agrees: { compress_audio: ['by_size'] },
  }),
})
