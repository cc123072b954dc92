/** Reads what other programs of ours write as plain pixels (PGM, PPM, PAM), inside the box. Only binary ones, one picture. */

export interface Pixels {
  width: number
  height: number
  channels: 1 | 2 | 3 | 4
  /** 16 bits a channel. */
  deep: boolean
  pixels: Buffer | Uint16Array
}

const isChannels = (depth: number): depth is Pixels['channels'] => depth >= 1 && depth <= 4 && Number.isInteger(depth)

interface Header {
  width: number
  height: number
  depth: number
  most: number
  length: number
}

function plain(text: string): Header | null {
  const found = /^P([56])\s+(?:#[^\n]*\n\s*)*(\d+)\s+(\d+)\s+(\d+)\s/.exec(text)
  if (!found) return null
  const [width = 0, height = 0, most = 0] = found.slice(2).map(Number)
  return { width, height, most, depth: found[1] === '5' ? 1 : 3, length: found[0].length }
}

function arbitrary(text: string): Header | null {
  const found = /^P7\n([\s\S]*?)ENDHDR\n/.exec(text)
  if (!found) return null
  const figure = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(found[1] ?? '')?.[1])
  const [width, height, depth, most] = [figure('WIDTH'), figure('HEIGHT'), figure('DEPTH'), figure('MAXVAL')]
  return { width, height, depth, most, length: found[0].length }
}

export function readPnm(bytes: Buffer): Pixels | null {
  const text = bytes.toString('latin1', 0, 1024)
  const head = plain(text) ?? arbitrary(text)
  if (!head || !isChannels(head.depth) || (head.most !== 255 && head.most !== 65_535)) return null
  const { width, height, depth: channels } = head
  const deep = head.most > 255
  const size = width * height * channels * (deep ? 2 : 1)
  const data = bytes.subarray(head.length, head.length + size)
  if (!(size > 0) || data.length < size) return null
  if (!deep) return { width, height, channels, deep, pixels: data }
  // Most significant byte first in the file, as the machine has it here; copied, for it must begin at an even place.
  const swapped = Buffer.from(data).swap16()
  return { width, height, channels, deep, pixels: new Uint16Array(new Uint8Array(swapped).buffer) }
}
