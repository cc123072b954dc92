/** What is in a file of sound or moving pictures, as ffprobe tells it. Pure: reads text, runs nothing. */

interface Common {
  readonly index: number
  readonly codec: string
  /** ISO 639 code, where the file says one. */
  readonly language: string | null
  readonly title: string | null
  readonly bitrate: number | null
  readonly seconds: number | null
  readonly isDefault: boolean
}

export interface VideoStream extends Common {
  readonly kind: 'video'
  /** As coded, before it is turned. */
  readonly width: number
  readonly height: number
  /** Degrees clockwise a player turns it: 0, 90, 180 or 270. */
  readonly rotation: number
  /** Of a pixel; 1 when square or unknown. */
  readonly pixelAspect: number
  readonly fps: number | null
  /** Frames come at uneven times. */
  readonly vfr: boolean
  readonly frames: number | null
  readonly pixelFormat: string
  /** PQ or HLG light. */
  readonly hdr: boolean
  /** ffmpeg's name of the transfer curve, empty when unknown. */
  readonly transfer: string
  /** A picture of the record, not a film. */
  readonly cover: boolean
  readonly interlaced: boolean
}

export interface AudioStream extends Common {
  readonly kind: 'audio'
  readonly channels: number
  readonly sampleRate: number
  readonly layout: string
  /** Bits of a sample, where the codec has such. */
  readonly depth: number | null
}

export interface SubtitleStream extends Common {
  readonly kind: 'subtitle'
  /** Drawn, not written: cannot become text. */
  readonly pictures: boolean
  readonly forced: boolean
}

export interface OtherStream extends Common {
  readonly kind: 'other'
  /** A file within the file, such as a font for subtitles. */
  readonly attached: boolean
}

export type Stream = VideoStream | AudioStream | SubtitleStream | OtherStream

export interface Media {
  /** ffmpeg's name of the demuxer: `mov,mp4,m4a,3gp,3g2,mj2`. */
  readonly container: string
  readonly seconds: number | null
  readonly bitrate: number | null
  readonly size: number
  readonly chapters: number
  readonly tags: Record<string, string>
  readonly streams: readonly Stream[]
}

type Told = Readonly<Record<string, unknown>>

const isTold = (value: unknown): value is Told => typeof value === 'object' && value !== null && !Array.isArray(value)
const list = (value: unknown): Told[] => (Array.isArray(value) ? value.filter(isTold) : [])
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** ffprobe writes most numbers as text, and `N/A` for none. */
const number = (value: unknown): number | null => {
  const n = typeof value === 'number' ? value : Number.parseFloat(text(value))
  return Number.isFinite(n) ? n : null
}
const positive = (value: unknown): number | null => {
  const n = number(value)
  return n !== null && n > 0 ? n : null
}

/** `30000/1001` or `4:3`; null when it says nothing (`0/0`). */
const ratio = (value: unknown): number | null => {
  const [above = Number.NaN, below = Number.NaN] = text(value).split(/[/:]/).map(Number)
  return above > 0 && below > 0 ? above / below : null
}

const tagsOf = (told: Told): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isTold(told.tags) ? told.tags : {}).map(([key, value]) => [key.toLowerCase(), String(value)]),
  )

const disposed = (told: Told, what: string): boolean => isTold(told.disposition) && told.disposition[what] === 1

/** The display matrix counts against the clock; players turn with it. */
const rotationOf = (told: Told): number => {
  const matrix = list(told.side_data_list).find((data) => number(data.rotation) !== null)
  const clockwise = matrix ? -(number(matrix.rotation) ?? 0) : (number(tagsOf(told).rotate) ?? 0)
  return (((Math.round(clockwise / 90) * 90) % 360) + 360) % 360
}

/** `00:01:02.5` in Matroska's tags, where the stream itself says nothing. */
const taggedSeconds = (told: Told): number | null => {
  const [, h, m, s] = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)/.exec(tagsOf(told).duration ?? '') ?? []
  return h === undefined ? null : Number(h) * 3600 + Number(m) * 60 + Number(s)
}

const UNEVEN = 0.02
const HDR = new Set(['smpte2084', 'arib-std-b67'])
const DRAWN = new Set(['dvd_subtitle', 'dvb_subtitle', 'hdmv_pgs_subtitle', 'xsub', 'dvb_teletext'])

const videoOfTold = (told: Told, common: Common): VideoStream => {
  const average = ratio(told.avg_frame_rate)
  const steady = ratio(told.r_frame_rate)
  return {
    ...common,
    kind: 'video',
    width: number(told.width) ?? 0,
    height: number(told.height) ?? 0,
    rotation: rotationOf(told),
    pixelAspect: ratio(told.sample_aspect_ratio) ?? 1,
    fps: average ?? steady,
    vfr: average !== null && steady !== null && Math.abs(steady - average) / average > UNEVEN,
    frames: positive(told.nb_frames),
    pixelFormat: text(told.pix_fmt),
    hdr: HDR.has(text(told.color_transfer)),
    transfer: text(told.color_transfer),
    cover: disposed(told, 'attached_pic'),
    interlaced: !['', 'progressive', 'unknown'].includes(text(told.field_order)),
  }
}

const streamOf = (told: Told): Stream => {
  const tags = tagsOf(told)
  const common: Common = {
    index: number(told.index) ?? 0,
    codec: text(told.codec_name) || 'unknown',
    language: tags.language && tags.language !== 'und' ? tags.language : null,
    title: tags.title ?? null,
    bitrate: positive(told.bit_rate) ?? positive(tags.bps),
    seconds: positive(told.duration) ?? taggedSeconds(told),
    isDefault: disposed(told, 'default'),
  }
  switch (told.codec_type) {
    case 'video':
      return videoOfTold(told, common)
    case 'audio':
      return {
        ...common,
        kind: 'audio',
        channels: number(told.channels) ?? 0,
        sampleRate: number(told.sample_rate) ?? 0,
        layout: text(told.channel_layout),
        depth: positive(told.bits_per_raw_sample) ?? positive(told.bits_per_sample),
      }
    case 'subtitle':
      return { ...common, kind: 'subtitle', pictures: DRAWN.has(common.codec), forced: disposed(told, 'forced') }
    default:
      return { ...common, kind: 'other', attached: told.codec_type === 'attachment' }
  }
}

/** Of `ffprobe -show_format -show_streams -show_chapters -of json`; null when that is no such text. */
export function parseMedia(json: string, size: number): Media | null {
  let told: unknown
  try {
    told = JSON.parse(json)
  } catch {
    return null
  }
  if (!isTold(told) || !isTold(told.format)) return null
  const streams = list(told.streams).map(streamOf)
  const lengths = streams.map(({ seconds }) => seconds ?? 0)
  return {
    container: text(told.format.format_name),
    seconds: positive(told.format.duration) ?? positive(Math.max(0, ...lengths)),
    bitrate: positive(told.format.bit_rate),
    size,
    chapters: list(told.chapters).length,
    tags: tagsOf(told.format),
    streams,
  }
}

/** The film itself: the first that is no cover. */
export const videoOf = ({ streams }: Media): VideoStream | null =>
  streams.find((stream): stream is VideoStream => stream.kind === 'video' && !stream.cover) ?? null

/** What a player plays: the one marked as default, else the first. */
export const audioOf = ({ streams }: Media): AudioStream | null => {
  const all = streams.filter((stream): stream is AudioStream => stream.kind === 'audio')
  return all.find(({ isDefault }) => isDefault) ?? all[0] ?? null
}

export const coverOf = ({ streams }: Media): VideoStream | null =>
  streams.find((stream): stream is VideoStream => stream.kind === 'video' && stream.cover) ?? null

/** Width and height as a player shows it: turned, with square pixels. */
export function shownSize({ width, height, rotation, pixelAspect }: VideoStream): { width: number; height: number } {
  const wide = Math.round(width * pixelAspect)
  return rotation % 180 === 0 ? { width: wide, height } : { width: height, height: wide }
}
