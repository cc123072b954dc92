/** Which films may be coded in parts, what each part is told, and the doing of it. Where they are parted: part-stretches.ts. */
import type { Work } from '../../catalog/engine.ts'
import type { JsonObject } from '../../core/task.ts'
import type { Container } from './containers.ts'
import type { Stretch } from './part-stretches.ts'
import type { CodedPicture, Plan } from './planned.ts'
import { ffmpeg } from './run.ts'

/** Those that take long enough. */
const SLOW = new Set<string>(['libx264', 'libx265', 'libvpx-vp9', 'libsvtav1', 'libaom-av1'])
/** What takes pictures at any time. */
const JOINABLE = new Set(['mp4', 'ipod', 'mov', 'matroska', 'webm'])
/** In these ffmpeg finds a place exactly. */
export const SEEKS = new Set<string>(['mp4', 'm4v', 'mov', '3gp', 'mkv', 'webm'])
/** Filters that look at one picture at a time. */
const STILL = /^(?:scale|pad|crop|setsar|setdar|format|hflip|vflip|transpose|zscale|tonemap)(?:=|$)/

/** Whether coding it takes long, and the container takes parts of it. */
export const isJoinable = ({ muxer }: Container, encoder: string): boolean => SLOW.has(encoder) && JOINABLE.has(muxer)

/** Whether no picture hangs on those before and after it, other than by what is coded. */
export const isPartable = (plan: Plan): plan is Plan & { picture: CodedPicture } => {
  const { picture, cut, burn, container } = plan
  if (picture === null || picture.copy || burn !== null || cut.start > 0 || cut.length !== null) return false
  const { encoder, quality, twoPass, filters } = picture
  const even = quality.bitrate === undefined && !twoPass && filters.every((filter) => STILL.test(filter))
  return even && isJoinable(container, encoder)
}

const PART = 'part.nut'
const written = (seconds: number): string => seconds.toFixed(6)

/** What one part is to whoever does it. Times stay those of the whole film; they are exact in this container. */
export function orderOf(
  { at, from, to }: Stretch,
  picture: readonly string[],
  steady: boolean,
  seconds: number,
): JsonObject {
  const timed = steady ? [] : ['-fps_mode', 'passthrough', '-enc_time_base', '-1']
  const bare = ['-an', '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1']
  return {
    before: [
      ...['-copyts', '-start_at_zero'],
      ...(from > 0 ? ['-ss', written(from)] : []),
      // Counted from the first picture that is kept.
      ...(to === null ? [] : ['-t', written(to - at)]),
    ],
    after: [...picture, ...timed, ...bare, '-f', 'nut', PART],
    seconds,
  }
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Carries out an order, on any machine. */
export async function filmPart(work: Work, { before, after, seconds }: JsonObject): Promise<string> {
  await ffmpeg(work, { before: texts(before), after: texts(after), seconds: Number(seconds) })
  return PART
}
