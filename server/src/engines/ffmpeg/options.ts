/** The option sets of conversions to video and to sound, made of the shared vocabulary for what each format can hold. */
import type { Ext } from '../../catalog/formats.ts'
import { options } from '../../catalog/option.ts'
import * as audio from '../../catalog/vocabulary/audio.ts'
import * as video from '../../catalog/vocabulary/video.ts'
import { type Container, containerOf, type Writable } from './containers.ts'
import { AUDIO_ENCODERS, HARDWARE, isLossless, VIDEO_ENCODERS, type VideoEncoder } from './encoders.ts'

type Titles = audio.Titles

/** The encoders of a container with their titles, those of graphics cards behind what they stand for. */
function videoTitles({ video: slot }: Container): Titles {
  const own: readonly VideoEncoder[] = slot?.encoders ?? []
  const cards = Object.entries(HARDWARE).filter(([, { cpu }]) => own.includes(cpu))
  return Object.fromEntries([
    ...own.map((name) => [name, VIDEO_ENCODERS[name].title]),
    ...cards.map(([name, { title }]) => [name, title]),
  ])
}

const audioTitles = ({ audio: slot }: Container): Titles =>
  Object.fromEntries((slot?.encoders ?? []).map((name) => [name, AUDIO_ENCODERS[name].title]))

const filters = {
  audio_filter_volume: audio.audio_filter_volume,
  audio_filter_normalize: audio.audio_filter_normalize,
  audio_filter_fade_in: audio.audio_filter_fade_in,
  audio_filter_fade_out: audio.audio_filter_fade_out,
}
const cut = { cut_start: audio.cut_start, cut_end: audio.cut_end }

/** @param sounds what else may bring the sound */
export function videoOptions(ext: Writable, sounds: readonly Ext[] = []) {
  const container = containerOf(ext)
  const titles = videoTitles(container)
  return options({
    video_codec: video.video_codec(titles),
    video_crf: video.video_crf(titles),
    video_bitrate: video.video_bitrate(titles),
    video_two_pass: video.video_two_pass,
    video_preset: video.video_preset,
    video_resolution: video.video_resolution,
    video_fit: video.video_fit,
    video_fps: video.video_fps,
    video_aspect_ratio: video.video_aspect_ratio,
    video_rotate: video.video_rotate,
    video_flip: video.video_flip,
    video_deinterlace: video.video_deinterlace,
    video_speed: video.video_speed,
    video_reverse: video.video_reverse,
    video_remove_audio: video.video_remove_audio,
    video_replace_audio: video.video_replace_audio(sounds),
    audio_codec: audio.audio_codec(audioTitles(container)),
    audio_bitrate: audio.audio_bitrate(640),
    audio_sample_rate: audio.audio_sample_rate,
    audio_channel: audio.audio_channel,
    ...filters,
    subtitle_mode: video.subtitle_mode,
    subtitle_track: video.subtitle_track,
    subtitle_add: video.subtitle_add,
    ...cut,
    strip_metadata: audio.strip_metadata,
  })
}
export type VideoOptions = ReturnType<typeof videoOptions>

const common = (ext: Writable) => ({
  audio_codec: audio.audio_codec(audioTitles(containerOf(ext))),
  ...filters,
  audio_filter_reverse: audio.audio_filter_reverse,
  audio_filter_speed: audio.audio_filter_speed,
  audio_track: audio.audio_track,
  ...cut,
  strip_metadata: audio.strip_metadata,
})

const MOST_KBITS: Partial<Record<Writable, number>> = { mp3: 320, mp2: 384, ac3: 640, wma: 320, spx: 44 }

const mp3Options = () =>
  options({
    ...common('mp3'),
    audio_rate_control_mp3: audio.audio_rate_control_mp3,
    audio_bitrate: audio.audio_bitrate(320),
    audio_sample_rate_mp3_dts_ac3: audio.audio_sample_rate_mp3_dts_ac3,
    audio_channel_mp3: audio.audio_channel_mp3,
  })

const ac3Options = () =>
  options({
    ...common('ac3'),
    audio_bitrate: audio.audio_bitrate(640),
    audio_sample_rate_mp3_dts_ac3: audio.audio_sample_rate_mp3_dts_ac3,
    audio_channel: audio.audio_channel,
  })

const lossyOptions = (ext: Writable) =>
  options({
    ...common(ext),
    audio_bitrate: audio.audio_bitrate(MOST_KBITS[ext] ?? 512),
    audio_sample_rate: audio.audio_sample_rate,
    audio_channel: audio.audio_channel,
  })

/** Vorbis and Opus and AAC can vary, and say so. */
const varyingOptions = (ext: Writable) =>
  options({ ...lossyOptions(ext), audio_rate_control: audio.audio_rate_control })

const losslessOptions = (ext: Writable) =>
  options({ ...common(ext), audio_sample_rate: audio.audio_sample_rate, audio_channel: audio.audio_channel })

/** Whether a bitrate means nothing to any of what it can hold. */
const holdsLossless = (ext: Writable): boolean => containerOf(ext).audio?.encoders.every(isLossless) ?? false

const VARYING = new Set<Writable>(['ogg', 'oga', 'opus', 'm4a', 'm4b', 'm4r', 'aac', 'mka'])

/** Each format has the options that mean something to it; some have their own names for them. */
export function soundOptions(ext: Writable) {
  if (ext === 'mp3') return mp3Options()
  if (ext === 'ac3') return ac3Options()
  if (holdsLossless(ext)) return losslessOptions(ext)
  return VARYING.has(ext) ? varyingOptions(ext) : lossyOptions(ext)
}
