/** How encoders of sound are told to become smaller and smaller. Pure. */
import { type AudioEncoder, audioArgs } from './encoders.ts'
import type { AudioStream } from './media.ts'

/** One way to write the sound; what it gives up beside the rate. */
export interface Voice {
  channels: number | null
  sampleRate: number | null
  cover: boolean
}

/** From the best to the smallest. */
export function voices(rate: number, { channels }: Pick<AudioStream, 'channels'>): Voice[] {
  const all: Voice[] = [
    { channels: null, sampleRate: null, cover: true },
    { channels: 1, sampleRate: 24_000, cover: true },
    { channels: 1, sampleRate: 16_000, cover: false },
    { channels: 1, sampleRate: 8000, cover: false },
  ]
  // Little for many channels sounds worse than enough for one.
  return rate < 20_000 * Math.max(1, channels) ? all.slice(1) : all
}

/** So that the size follows the rate without jumps. Vorbis is told a quality: a rate it holds to only in the middle. */
export function smoothArgs(encoder: AudioEncoder, rate: number, channels: number): string[] {
  const bitrate = Math.round(rate)
  if (encoder === 'libmp3lame') return ['-c:a', encoder, '-abr', '1', '-b:a', String(bitrate)]
  if (encoder === 'libvorbis') {
    const stereo = ((rate / 1000) * 2) / Math.max(1, channels)
    return ['-c:a', encoder, '-q:a', Math.max(-1, Math.min(10, (stereo - 64) / 25)).toFixed(3)]
  }
  return audioArgs(encoder, { bitrate, channels })
}

/** Opus knows only these, and counts time at 48000 in any case. */
export const sampled = (encoder: AudioEncoder, { sampleRate }: Voice): string[] =>
  sampleRate === null ? [] : ['-ar', String(encoder === 'libopus' || sampleRate === 24_000 ? 24_000 : sampleRate)]
