/** What a caller wants of sound and picture, whatever the options are called where he said it. Types, and their reading. */
import type { Values } from '../../catalog/option.ts'
import type { AnyVideoEncoder, AudioEncoder, Speed } from './encoders.ts'
import { AUDIO_ENCODERS, HARDWARE, VIDEO_ENCODERS } from './encoders.ts'
import type { VideoOptions } from './options.ts'

export interface Cut {
  start: number
  end: number | undefined
}

export interface SoundWishes {
  encoder: 'auto' | 'copy' | AudioEncoder
  /** Bits a second. */
  bitrate: number | undefined
  control: 'auto' | 'cbr' | 'vbr'
  sampleRate: number | undefined
  channels: 1 | 2 | undefined
  /** 1 leaves it as it is. */
  volume: number
  normalize: boolean
  fadeIn: number
  fadeOut: number
  /** `film`: with its picture, to which it has to fit. */
  reverse: false | 'sound' | 'film'
}

export interface PictureWishes {
  encoder: 'auto' | 'copy' | AnyVideoEncoder
  crf: number | undefined
  bitrate: number | undefined
  twoPass: boolean
  speed: Speed
  /** Either side may be missing. */
  size: { width: number | undefined; height: number } | null
  fit: 'fit' | 'pad' | 'crop' | 'stretch'
  fps: number | undefined
  /** Width by height as shown. */
  aspect: number | undefined
  rotate: 0 | 90 | 180 | 270
  flip: 'none' | 'horizontal' | 'vertical' | 'both'
  deinterlace: boolean
  reverse: boolean
}

export interface Wishes {
  cut: Cut
  /** 1 leaves it as it is. */
  tempo: number
  strip: boolean
  /** null: no sound at all. */
  sound: SoundWishes | null
  /** The sound is that of the second input. */
  otherSound: boolean
  /** Counted from 0. */
  track: number | undefined
  picture: PictureWishes
  subtitles: 'soft' | 'hard' | 'none'
  /** Counted from 0. */
  subtitleTrack: number
}

const isIn = <T extends object>(table: T, name: string): name is keyof T & string => Object.hasOwn(table, name)

export const audioEncoderOf = (name: string): SoundWishes['encoder'] =>
  name === 'copy' || isIn(AUDIO_ENCODERS, name) ? name : 'auto'

const videoEncoderOf = (name: string): PictureWishes['encoder'] =>
  name === 'copy' || isIn(VIDEO_ENCODERS, name) || isIn(HARDWARE, name) ? name : 'auto'

/** `1280x720`, `720p`. */
export function sizeOf(text: string | undefined): PictureWishes['size'] {
  const [, width, height] = /^(\d+)[x:](\d+)$/.exec(text ?? '') ?? []
  if (height !== undefined) return { width: Number(width), height: Number(height) }
  const [, lines] = /^(\d+)p$/i.exec(text ?? '') ?? []
  return lines === undefined ? null : { width: undefined, height: Number(lines) }
}

const aspectOf = (text: string | undefined): number | undefined => {
  const [width = Number.NaN, height = Number.NaN] = (text ?? '').split(':').map(Number)
  return width > 0 && height > 0 ? width / height : undefined
}

const TURNS = { '0': 0, '90': 90, '180': 180, '270': 270 } as const

type Channels = 'no-change' | 'mono' | 'stereo'

/** What the sound options of a result have in common, under whichever names. */
export interface SoundValues {
  audio_codec: string
  audio_bitrate?: number | undefined
  audio_rate_control?: SoundWishes['control']
  audio_rate_control_mp3?: SoundWishes['control']
  audio_sample_rate?: string
  audio_sample_rate_mp3_dts_ac3?: string
  audio_channel?: Channels
  audio_channel_mp3?: Channels
  audio_filter_volume: number
  audio_filter_normalize: boolean
  audio_filter_fade_in: number
  audio_filter_fade_out: number
  audio_filter_reverse?: boolean
  video_reverse?: boolean
}

export function soundWishes(values: SoundValues): SoundWishes {
  const rate = values.audio_sample_rate ?? values.audio_sample_rate_mp3_dts_ac3 ?? 'auto'
  const channels = values.audio_channel ?? values.audio_channel_mp3
  return {
    encoder: audioEncoderOf(values.audio_codec),
    bitrate: values.audio_bitrate === undefined ? undefined : values.audio_bitrate * 1000,
    control: values.audio_rate_control ?? values.audio_rate_control_mp3 ?? 'auto',
    sampleRate: rate === 'auto' ? undefined : Number(rate),
    channels: channels === 'mono' ? 1 : channels === 'stereo' ? 2 : undefined,
    volume: values.audio_filter_volume / 100,
    normalize: values.audio_filter_normalize,
    fadeIn: values.audio_filter_fade_in,
    fadeOut: values.audio_filter_fade_out,
    reverse: values.video_reverse ? 'film' : values.audio_filter_reverse ? 'sound' : false,
  }
}

const pictureWishes = (values: Values<VideoOptions>): PictureWishes => ({
  encoder: videoEncoderOf(values.video_codec),
  crf: values.video_crf,
  bitrate: values.video_bitrate === undefined ? undefined : values.video_bitrate * 1000,
  twoPass: values.video_two_pass,
  speed: values.video_preset,
  size: sizeOf(values.video_resolution),
  fit: values.video_fit,
  fps: values.video_fps,
  aspect: aspectOf(values.video_aspect_ratio),
  rotate: TURNS[values.video_rotate],
  flip: values.video_flip,
  deinterlace: values.video_deinterlace,
  reverse: values.video_reverse,
})

export const videoWishes = (values: Values<VideoOptions>): Wishes => ({
  cut: { start: values.cut_start, end: values.cut_end },
  tempo: values.video_speed / 100,
  strip: values.strip_metadata,
  sound: values.video_remove_audio ? null : soundWishes(values),
  otherSound: values.video_replace_audio,
  track: undefined,
  picture: pictureWishes(values),
  subtitles: values.subtitle_mode,
  subtitleTrack: values.subtitle_track - 1,
})

/** Nothing is wished of a picture that is not there. */
export const NO_PICTURE: PictureWishes = {
  encoder: 'auto',
  crf: undefined,
  bitrate: undefined,
  twoPass: false,
  speed: 'fast',
  size: null,
  fit: 'fit',
  fps: undefined,
  aspect: undefined,
  rotate: 0,
  flip: 'none',
  deinterlace: false,
  reverse: false,
}

/** What is said where only sound comes out. */
export interface SoundOnlyValues extends SoundValues {
  audio_filter_speed: number
  audio_track?: number | undefined
  cut_start: number
  cut_end?: number | undefined
  strip_metadata: boolean
}

export const audioWishes = (values: SoundOnlyValues): Wishes => ({
  cut: { start: values.cut_start, end: values.cut_end },
  tempo: values.audio_filter_speed / 100,
  strip: values.strip_metadata,
  sound: soundWishes(values),
  otherSound: false,
  track: values.audio_track === undefined ? undefined : values.audio_track - 1,
  picture: NO_PICTURE,
  subtitles: 'none',
  subtitleTrack: 0,
})
