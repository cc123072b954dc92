/** What a plan says of each stream. Types only. */
import type { Container } from './containers.ts'
import type { AnyVideoEncoder, Quality } from './encoders.ts'
import type { AudioStream, Media, VideoStream } from './media.ts'

export interface Copied<S> {
  stream: S
  copy: true
}

export interface CodedPicture {
  stream: VideoStream
  copy: false
  encoder: AnyVideoEncoder
  /** What the filters are made for: the encoder, or what does its work on the CPU. */
  filters: readonly string[]
  quality: Quality
  twoPass: boolean
  /** Light beyond a usual screen is kept, and said. */
  deep: boolean
}

export interface CodedSound {
  stream: AudioStream
  copy: false
  /** `-c:a …` and what follows from it. */
  coding: readonly string[]
  filters: readonly string[]
}

export interface Plan {
  container: Container
  ext: string
  cut: { start: number; length: number | null }
  /** Of the result. */
  seconds: number | null
  picture: Copied<VideoStream> | CodedPicture | null
  sound: readonly (Copied<AudioStream> | CodedSound)[]
  subtitles: readonly SubtitlePart[]
  /** Drawn into the picture: text from a file made before, or a track of pictures. */
  burn: { text: string } | { pictures: number } | null
  cover: { stream: VideoStream; copy: boolean } | null
  /** Files within the file that go along, by their number. */
  attached: readonly number[]
  added: Added | null
  /** The sound is that of a second input, of which so much is read; null: all. */
  other: { seconds: number | null } | null
  strip: boolean
  /** They still stand where they stood. */
  chapters: boolean
  /** What the result cannot hold. */
  leftOut: readonly string[]
}

export interface Target {
  ext: string
  container: Container
  filename: string
  /** Subtitles that came as an option. */
  added: Added | null
  /** A second input, whose sound replaces that of the first. */
  other?: Other | null
  /** What really encodes where a card's encoder was asked for. */
  present: AnyVideoEncoder | null
  /** A copy was tried and failed. */
  neverCopy?: boolean
}

export interface Other {
  media: Media
  filename: string
}

export interface SubtitlePart {
  /** The number of the stream in the film, or what was added. */
  from: number | 'added'
  encoder: string
}

/** Subtitles that came as an option, by ffmpeg's name of their kind. */
export interface Added {
  demuxer: 'srt' | 'webvtt' | 'ass'
  /** In the folder of the hop. */
  file: string
}
