/** Which pictures of a part can be taken as they are, and which must be written anew because a cut lies between keys. Pure. */
import type { Packet } from './trim-keyframes.ts'
import type { Span } from './trim-ranges.ts'

export interface Piece {
  /** When its first picture is shown. */
  from: number
  pictures: number
  copy: boolean
}

/** Times are told to the microsecond. */
const EXACT = 1e-4
/** Less than this share copied saves no time: joining and comparing take some, too. */
const WORTH = 0.5

/** Places where nothing decoded before is shown after, nor the other way round: the film can be cut there. */
function cleanKeys(packets: readonly Packet[]): number[] {
  const earliest = packets.map(() => Number.POSITIVE_INFINITY)
  let least = Number.POSITIVE_INFINITY
  for (let index = packets.length - 1; index >= 0; index--) {
    earliest[index] = least
    least = Math.min(least, packets[index]?.time ?? least)
  }
  let latest = Number.NEGATIVE_INFINITY
  return packets.flatMap(({ time, key }, index) => {
    const clean = key && latest < time && (earliest[index] ?? 0) > time
    latest = Math.max(latest, time)
    return clean ? [index] : []
  })
}

/**
 * @param packets in the order in which they are decoded, from a key before the part to some time behind it
 * @returns null where too little could be copied
 */
export function piecesOf(packets: readonly Packet[], { start, end }: Span): Piece[] | null {
  const within = ({ time }: Packet): boolean => time >= start - EXACT && time < end - EXACT
  const shown = packets.filter(within).map(({ time }) => time)
  const keys = cleanKeys(packets)
  const first = keys.find((index) => (packets[index]?.time ?? 0) >= start - EXACT)
  const toEnd = packets.every(({ time }) => time < end - EXACT)
  const last = toEnd ? packets.length : keys.findLast((index) => (packets[index]?.time ?? 0) <= end + EXACT)
  if (first === undefined || last === undefined) return null
  const copied = last - first
  if (copied < shown.length * WORTH) return null
  const key = packets[first]?.time ?? 0
  const next = packets[last]?.time ?? Number.POSITIVE_INFINITY
  const before = shown.filter((time) => time < key - EXACT)
  const after = shown.filter((time) => time > next - EXACT)
  const pieces = [
    { from: Math.min(...before), pictures: before.length, copy: false },
    { from: key, pictures: copied, copy: true },
    { from: next, pictures: after.length, copy: false },
  ]
  return pieces.filter(({ pictures }) => pictures > 0)
}
