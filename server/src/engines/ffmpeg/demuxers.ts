/**
 * Which of ffmpeg's readers a format may be read by. ffmpeg guesses from content and would take a playlist for a film:
 * "-format_whitelist limited to the demuxer", and forced where there is only one. Pure.
 */
import type { Ext } from '../../catalog/formats.ts'

const MOV = ['mov'] as const
const OGG = ['ogg'] as const
const ASF = ['asf'] as const
const MATROSKA = ['matroska'] as const
const MPEG = ['mpeg', 'mpegvideo'] as const
const TS = ['mpegts'] as const

const DEMUXERS: Partial<Record<Ext, readonly string[]>> = {
  mp4: MOV,
  m4v: MOV,
  mov: MOV,
  f4v: MOV,
  '3gp': MOV,
  '3g2': MOV,
  m4a: MOV,
  m4b: MOV,
  m4r: MOV,
  mkv: MATROSKA,
  webm: MATROSKA,
  mka: MATROSKA,
  avi: ['avi'],
  divx: ['avi'],
  wmv: ASF,
  asf: ASF,
  wma: ASF,
  flv: ['flv'],
  mpg: MPEG,
  vob: MPEG,
  m2v: MPEG,
  ts: TS,
  mts: TS,
  m2ts: TS,
  ogv: OGG,
  ogg: OGG,
  oga: OGG,
  opus: OGG,
  spx: OGG,
  mxf: ['mxf'],
  rm: ['rm'],
  ra: ['rm'],
  dv: ['dv'],
  swf: ['swf'],
  gif: ['gif'],
  mp3: ['mp3'],
  mp2: ['mp3'],
  wav: ['wav'],
  flac: ['flac'],
  aac: ['aac', 'loas'],
  aiff: ['aiff'],
  amr: ['amr'],
  ac3: ['ac3', 'eac3'],
  dts: ['dts', 'dtshd'],
  ape: ['ape'],
  wv: ['wv'],
  tta: ['tta'],
  au: ['au'],
  caf: ['caf'],
  srt: ['srt'],
  vtt: ['webvtt'],
  ass: ['ass'],
}

/** Decoders count whole blocks at the edges; what is shown is counted exactly when the file is looked into. */
const ROUNDED_UP = 2 ** 16

/** What stands before an input: no other protocol, no other reader, no picture too big to hold. */
export function guards(format: Ext, maxPixels: number): readonly string[] {
  const readers = DEMUXERS[format] ?? []
  return [
    ...['-protocol_whitelist', 'file', '-format_whitelist', readers.join(',')],
    ...(readers.length === 1 && readers[0] !== undefined ? ['-f', readers[0]] : []),
    ...['-max_pixels', String(Math.min(2 ** 31 - 1, Math.ceil(maxPixels * 1.1) + ROUNDED_UP))],
  ]
}
