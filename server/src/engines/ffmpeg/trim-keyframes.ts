/** Whether a part of a film can be cut out exactly without writing it anew. Asks ffprobe for the packets of that part. */
import type { Work } from '../../catalog/engine.ts'
import { type Running, tool } from '../kit/tool.ts'
import { guards } from './demuxers.ts'
import { explain } from './explain.ts'
import type { VideoStream } from './media.ts'
import { FFPROBE } from './probe.ts'
import { type Span, written } from './trim-ranges.ts'

export interface Packet {
  time: number
  key: boolean
}

/** Lines of `time,flags`, in the order in which they are decoded. */
export function readPackets(text: string): Packet[] {
  return text.split('\n').flatMap((line) => {
    const [, time, flags] = /^packet,(-?[\d.]+),([A-Z_]+)/.exec(line.trim()) ?? []
    return time === undefined || flags === undefined ? [] : [{ time: Number(time), key: flags.startsWith('K') }]
  })
}

/**
 * How many packets from the one at `start` make the part, when it begins with a key picture, ends before another or with
 * the film, and no picture in it looks across; null when it must be written anew.
 */
export function packetsOf(packets: readonly Packet[], span: Span, lasts: number, half: number): number | null {
  const first = packets.findIndex(({ time, key }) => key && Math.abs(time - span.start) < half)
  if (first < 0) return null
  const later = packets.slice(first)
  const atEnd = span.end >= lasts - half
  const until = atEnd ? later.length : later.findIndex(({ time, key }) => key && Math.abs(time - span.end) < half)
  if (until < 1) return null
  const part = later.slice(0, until)
  const own = part.every(({ time }) => time > span.start - half && (atEnd || time < span.end - half))
  // Pictures after the key one that are shown before it belong to this part and are not in it.
  const rest = later.slice(until).every(({ time }) => time > span.end - half)
  return own && rest ? part.length : null
}

const LIMITS = { wall: 300_000, cpu: 300, output: 64 * 2 ** 20 }
/** Far enough behind the end to see pictures that are shown before their key picture. */
const BEHIND = 2

/** What ffprobe tells of the packets of one stream; `interval` as it counts times, from wherever the file begins. */
export async function packetsText(
  work: Running & Pick<Work, 'input' | 'limits'>,
  index: number,
  interval: readonly string[],
): Promise<string> {
  const { stdout } = await tool(work, {
    program: FFPROBE,
    args: ([input]) => [
      ...[
        '-v',
        'error',
        ...guards(work.input.format, work.limits.pixels),
        '-select_streams',
        String(index),
        ...interval,
      ],
      ...['-show_entries', 'packet=pts_time,flags:format=start_time', '-of', 'csv', '-i', `file:${input}`],
    ],
    limits: LIMITS,
    explain: (words) => explain(words, work.input.filename),
  })
  return stdout
}

async function look(work: Running & Pick<Work, 'input' | 'limits'>, index: number, interval: readonly string[]) {
  const stdout = await packetsText(work, index, interval)
  const [, begins = '0'] = /^format,(-?[\d.]+)/m.exec(stdout) ?? []
  return { packets: readPackets(stdout), begins: Number(begins) }
}

export async function copyable(
  work: Running & Pick<Work, 'input' | 'limits'>,
  video: VideoStream,
  span: Span,
  lasts: number,
): Promise<number | null> {
  const packets = await packetsAround(work, video, span)
  return packets && packetsOf(packets, span, lasts, 0.5 / (video.fps ?? 25))
}

const BY_DECODING = new Set<string>(['mkv', 'webm'])

/**
 * In these files ffmpeg looks for a key picture by when it is decoded, and looks so much earlier where pictures may be
 * shown later: whoever wants the key at a time must ask for one so much later.
 */
export const lookedEarlier = (format: string): number => (BY_DECODING.has(format) ? 3 / 23 + 0.001 : 0)

/** From the key picture before a part to some time behind it; null where times count from elsewhere. */
export async function packetsAround(
  work: Running & Pick<Work, 'input' | 'limits'>,
  { index }: VideoStream,
  span: Span,
): Promise<Packet[] | null> {
  const interval = ['-read_intervals', `${written(span.start)}%${written(span.end + BEHIND)}`]
  const { packets, begins } = await look(work, index, interval)
  return Math.abs(begins) > 0.001 ? null : packets
}

/** Where the last key picture up to that time is, counted from the beginning. */
export async function keyBefore(
  work: Running & Pick<Work, 'input' | 'limits'>,
  { index, fps }: VideoStream,
  time: number,
): Promise<number> {
  const { packets, begins } = await look(work, index, [])
  const half = 0.5 / (fps ?? 25)
  const keys = packets.filter((packet) => packet.key && packet.time - begins < time + half)
  return Math.max(0, ...keys.map((packet) => packet.time - begins))
}
