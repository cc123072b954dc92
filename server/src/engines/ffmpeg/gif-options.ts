/** The options of films that become animations. */
import { option, options } from '../../catalog/option.ts'
import { cut_end, cut_start } from '../../catalog/vocabulary/audio.ts'
import { animation_loop, quality, webp_effort, webp_lossless } from '../../catalog/vocabulary/image.ts'

const fps = option.number({
  label: 'Frames a second',
  hint: 'How many pictures a second are shown; never more than the film has.',
  units: 'fps',
  min: 1,
  max: 50,
  default: 12,
})

const width = option.integer({
  label: 'Width',
  hint: 'Width of the animation; the height follows. Without it, as wide as the film.',
  units: 'px',
  min: 2,
  max: 4096,
})

export const gifOptions = options({
  cut_start_video_to_gif: cut_start,
  cut_end_gif: cut_end,
  video_custom_width_gif: width,
  gif_fps: fps,
  loop_count_video_to_gif: option.integer({
    label: 'Repeat',
    hint: 'How often it plays; 0 for ever.',
    min: 0,
    max: 65_535,
    default: 0,
  }),
  video_to_gif_compression: option.integer({
    label: 'Compression',
    hint: 'How much likeness is given up for a smaller file, from 0 to 80: there are fewer colours.',
    min: 0,
    max: 80,
    default: 0,
  }),
  video_to_gif_dither: option.choice(
    { sierra2_4a: 'Fine', floyd_steinberg: 'Soft', bayer: 'Pattern, smaller', none: 'None' },
    { label: 'Dithering', hint: 'How missing colours are imitated.', default: 'sierra2_4a', more: true },
  ),
  video_to_gif_transparency: option.boolean({
    label: 'Keep transparency',
    hint: 'What can be seen through in the film can be seen through in the animation.',
    default: true,
  }),
  video_to_gif_optimize_static_bg: option.boolean({
    label: 'Still background',
    hint: 'For films in which little moves: the colours are chosen for what does, and only that is drawn again.',
    default: false,
  }),
})

export const webpOptions = options({
  cut_start,
  cut_end,
  video_custom_width_webp: width,
  webp_fps: fps,
  animation_loop: option.integer({ ...animation_loop, default: 0 }),
  quality: quality(75),
  webp_lossless,
  webp_effort,
})
