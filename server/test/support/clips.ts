/**
 * One tiny clip of every format ffmpeg reads: a second of a test card and of a tone, made by ffmpeg itself in one run, and
 * by hand where Debian's has no encoder. Also a look at a result by ffprobe.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Ext } from '../../src/catalog/formats.ts'

const run = promisify(execFile)
const QUIET = ['-hide_banner', '-v', 'error', '-nostdin', '-y']

const H264 = '-map 0 -map 1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p'
const FILMS: Partial<Record<Ext, string>> = {
  mp4: `${H264} -c:a aac`,
  m4v: `${H264} -c:a aac -f ipod`,
  mov: `${H264} -c:a aac`,
  mkv: `${H264} -c:a aac`,
  webm: '-map 0 -map 1 -c:v libvpx -deadline realtime -c:a libopus',
  avi: '-map 0 -map 1 -c:v mpeg4 -c:a libmp3lame',
  divx: '-map 0 -map 1 -c:v mpeg4 -vtag DIVX -c:a libmp3lame -f avi',
  wmv: '-map 0 -map 1 -c:v wmv2 -c:a wmav2 -f asf',
  asf: '-map 0 -map 1 -c:v wmv2 -c:a wmav2 -f asf',
  flv: '-map 0 -map 1 -c:v flv -c:a libmp3lame -f flv',
  f4v: `${H264} -c:a aac -f f4v`,
  mpg: '-map 0 -map 1 -c:v mpeg1video -c:a mp2 -f mpeg',
  m2v: '-map 0 -c:v mpeg2video -f mpeg2video',
  ts: `${H264} -c:a aac -f mpegts`,
  mts: `${H264} -c:a ac3 -f mpegts -mpegts_m2ts_mode 1`,
  m2ts: `${H264} -c:a ac3 -f mpegts -mpegts_m2ts_mode 1`,
  vob: '-map 0 -map 1 -c:v mpeg2video -c:a ac3 -f vob',
  '3gp': `${H264} -c:a aac -f 3gp`,
  '3g2': `${H264} -c:a aac -f 3g2`,
  ogv: '-map 0 -map 1 -c:v libtheora -c:a libvorbis -f ogv',
  mxf: '-map 0 -map 1 -c:v mpeg2video -c:a pcm_s16le -ar 48000 -f mxf',
  rm: '-map 0 -map 1 -c:v rv10 -c:a ac3 -f rm',
  dv: '-map 0 -map 1 -target pal-dv -f dv',
  swf: '-map 0 -map 1 -c:v flv -c:a libmp3lame -f swf',
  gif: '-map 0 -f gif',
}
const SOUNDS: Partial<Record<Ext, string>> = {
  mp3: '',
  wav: '',
  flac: '',
  ogg: '-c:a libvorbis',
  oga: '-c:a flac -f oga',
  opus: '',
  m4a: '-c:a aac -f ipod',
  m4b: '-c:a aac -f ipod',
  m4r: '-c:a aac -f ipod',
  aac: '-f adts',
  wma: '-c:a wmav2 -f asf',
  aiff: '',
  ac3: '',
  dts: '-c:a dca -strict -2 -ar 48000 -f dts',
  wv: '',
  mka: '-c:a libvorbis',
  au: '',
  caf: '',
  mp2: '',
  ra: '-c:a real_144 -ar 8000 -ac 1 -f rm',
  tta: '',
  spx: '-c:a libspeex -f spx',
}

/** Fifty frames of AMR at its lowest rate; what they say does not matter. */
const amr = (): Buffer =>
  Buffer.concat([
    Buffer.from('#!AMR\n'),
    ...Array.from({ length: 50 }, () => Buffer.from([0x04, ...Array(12).fill(0x5a)])),
  ])

/** A second of silence in Monkey's Audio: one frame, marked as silent. */
function ape(): Buffer {
  const descriptor = Buffer.alloc(52)
  descriptor.write('MAC ')
  descriptor.writeUInt16LE(3990, 4)
  const frame = Buffer.alloc(16)
  frame.writeUInt32LE(0x8000_0000, 0)
  frame.writeUInt32LE(3, 4)
  const numbers = [52, 24, 4, 0, frame.length, 0, 0]
  for (const [index, value] of numbers.entries()) descriptor.writeUInt32LE(value, 8 + index * 4)
  const header = Buffer.alloc(24)
  for (const [at, value] of [
    [0, 2000],
    [16, 16],
    [18, 1],
  ] as const)
    header.writeUInt16LE(value, at)
  for (const [at, value] of [
    [4, 73_728],
    [8, 44_100],
    [12, 1],
    [20, 44_100],
  ] as const)
    header.writeUInt32LE(value, at)
  const seek = Buffer.alloc(4)
  seek.writeUInt32LE(52 + 24 + 4)
  return Buffer.concat([descriptor, header, seek, frame])
}

const CARD = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=25:duration=1']
const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100:duration=1']

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '')

/** Makes files in a folder that is gone afterwards, and answers their bytes in order. */
export async function makeClips(
  args: (name: (file: string) => string) => readonly string[],
  files: readonly string[],
  beside: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Buffer[]> {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-clips-'))
  try {
    for (const [name, bytes] of Object.entries(beside)) await writeFile(join(dir, name), bytes)
    await run('/usr/bin/ffmpeg', [...QUIET, ...args((file) => join(dir, file))], { timeout: 120_000 })
    return await Promise.all(files.map((file) => readFile(join(dir, file))))
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** One clip by lavfi sources and arguments: `clip('mp4', ['testsrc=…', 'sine=…'], ['-c:v', …])`. */
export async function clip(ext: string, sources: readonly string[], args: readonly string[] = []): Promise<Buffer> {
  const inputs = sources.flatMap((source) => ['-f', 'lavfi', '-i', source])
  const [bytes] = await makeClips((name) => [...inputs, ...args, name(`clip.${ext}`)], [`clip.${ext}`])
  return bytes!
}

/** Every format once, by one run. */
export async function allClips(): Promise<Partial<Record<Ext, Buffer>>> {
  const table = [
    ...Object.entries(FILMS),
    ...Object.entries(SOUNDS).map(([ext, coded]): [string, string] => [ext, `-map 1 ${coded}`]),
  ]
  const names = table.map(([ext]) => `clip.${ext}`)
  const bytes = await makeClips(
    (name) => [...CARD, ...TONE, ...table.flatMap(([ext, coded]) => [...words(coded), name(`clip.${ext}`)])],
    names,
  )
  return { ...Object.fromEntries(table.map(([ext], index) => [ext, bytes[index]!])), amr: amr(), ape: ape() }
}

export interface Looked {
  format: string
  seconds: number
  tags: Record<string, string>
  chapters: number
  streams: {
    codec: string
    type: string
    width?: number
    height?: number
    fps?: string
    rate?: number
    channels?: number
    tags: Record<string, string>
    cover: boolean
    aspect?: string
    transfer?: string
    pixels?: string
    bits?: number
    rotated: boolean
    packets: number
    tag: string
  }[]
}

/** What ffprobe says of a result, outside any box; every packet is read, so that a torn file shows. */
export async function look(bytes: Uint8Array, ext: string): Promise<Looked> {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-look-'))
  try {
    const path = join(dir, `made.${ext}`)
    await writeFile(path, bytes)
    const shown = ['-show_format', '-show_streams', '-show_chapters', '-count_packets', '-of', 'json']
    const { stdout, stderr } = await run('/usr/bin/ffprobe', ['-v', 'error', ...shown, path], { timeout: 60_000 })
    const told = JSON.parse(stdout)
    assert.equal(stderr, '', `ffprobe complains of ${ext}: ${stderr}`)
    return {
      format: told.format.format_name,
      seconds: Number(told.format.duration),
      tags: lower(told.format.tags),
      chapters: told.chapters.length,
      // biome-ignore lint/suspicious/noExplicitAny: what another program wrote
      streams: told.streams.map((stream: any) => ({
        codec: stream.codec_name,
        type: stream.codec_type,
        width: stream.width,
        height: stream.height,
        fps: stream.avg_frame_rate,
        rate: stream.sample_rate === undefined ? undefined : Number(stream.sample_rate),
        channels: stream.channels,
        tags: lower(stream.tags),
        cover: stream.disposition?.attached_pic === 1,
        aspect: stream.display_aspect_ratio,
        transfer: stream.color_transfer,
        pixels: stream.pix_fmt,
        bits: stream.bit_rate === undefined ? undefined : Number(stream.bit_rate),
        rotated: (stream.side_data_list ?? []).some((data: { rotation?: number }) => (data.rotation ?? 0) !== 0),
        packets: Number(stream.nb_read_packets),
        tag: stream.codec_tag_string,
      })),
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

export interface Played {
  pictures: number
  /** Seconds from the first picture to the end of the last. */
  shown: number
  /** Seconds of sound. */
  heard: number
}

/**
 * What somebody sees and hears: every picture and every sample decoded. A container tells another length, with what a coder
 * put before the first sample and behind the last.
 */
export async function played(bytes: Uint8Array, ext: string): Promise<Played> {
  const [text] = await makeClips(
    (name) => [
      ...['-i', name(`in.${ext}`), '-map', '0:V:0?', '-map', '0:a:0?', '-fps_mode', 'passthrough'],
      ...['-c:v', 'rawvideo', '-c:a', 'pcm_s16le', '-f', 'framecrc', name('out.txt')],
    ],
    ['out.txt'],
    { [`in.${ext}`]: bytes },
  )
  const [pictures, sound] = [framesIn(text!.toString(), 'video'), framesIn(text!.toString(), 'audio')]
  const [first, last] = [pictures[0], pictures.at(-1)]
  return {
    pictures: pictures.length,
    shown: first && last ? last.at + last.lasts - first.at : 0,
    heard: sound.reduce((sum, { lasts }) => sum + lasts, 0),
  }
}

/** Of ffmpeg's list of frames: `#media_type 0: video`, `#tb 0: 1/25` for each stream, then `0, dts, pts, duration, …`. */
function framesIn(list: string, kind: 'video' | 'audio'): { at: number; lasts: number }[] {
  const stream = new RegExp(`^#media_type (\\d): ${kind}`, 'm').exec(list)?.[1]
  if (stream === undefined) return []
  const [, over, under] = new RegExp(`^#tb ${stream}: (\\d+)/(\\d+)`, 'm').exec(list) ?? []
  const seconds = (units: string | undefined): number => (Number(units) * Number(over)) / Number(under)
  return [...list.matchAll(new RegExp(`^${stream}, +-?\\d+, +(-?\\d+), +(\\d+)`, 'gm'))].map(([, at, lasts]) => ({
    at: seconds(at),
    lasts: seconds(lasts),
  }))
}

const lower = (tags: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(tags).map(([key, value]) => [key.toLowerCase(), value]))

/** Pixels of one moment as raw RGB, decoded to a size. */
export async function pixelsAt(bytes: Uint8Array, ext: string, at: number, width = 16, height = 12): Promise<Buffer> {
  const [raw] = await makeClips(
    (name) => [
      ...['-ss', String(at), '-i', name(`in.${ext}`), '-frames:v', '1', '-vf', `scale=${width}:${height}`],
      ...['-f', 'rawvideo', '-pix_fmt', 'rgb24', name('out.rgb')],
    ],
    ['out.rgb'],
    { [`in.${ext}`]: bytes },
  )
  return raw!
}

/** The sound as samples from −1 to 1, one channel, at 8000 a second. */
export async function samplesOf(bytes: Uint8Array, ext: string): Promise<Float32Array> {
  const [raw] = await makeClips(
    (name) => ['-i', name(`in.${ext}`), '-vn', '-ac', '1', '-ar', '8000', '-f', 'f32le', name('out.f32')],
    ['out.f32'],
    { [`in.${ext}`]: bytes },
  )
  return new Float32Array(raw!.buffer.slice(raw!.byteOffset, raw!.byteOffset + (raw!.length & ~3)))
}
