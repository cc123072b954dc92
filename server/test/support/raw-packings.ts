/** How makers of cameras pack the pixels of a sensor. */

/** Two bytes each, the low one first. */
export function shorts(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}

/** Of twelve bits each; some makers keep the bytes of every four in the other order. */
export function twelves(values: readonly number[], turned = false): Buffer {
  const bytes = Buffer.alloc((values.length * 3) / 2)
  for (let index = 0; index < values.length; index += 2) {
    const [first = 0, second = 0] = values.slice(index, index + 2)
    bytes.writeUIntBE(first * 4096 + second, (index * 3) / 2, 3)
  }
  return turned ? bytes.swap32() : bytes
}

/** Sony: 32 pixels of a row are two blocks, one for each of its colours. */
export function sonyBlocks(values: readonly number[]): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0; at < values.length; at += 32) {
    const row = values.slice(at, at + 32)
    for (const parity of [0, 1]) blocks.push(sonyBlock(row.filter((_, index) => index % 2 === parity)))
  }
  return Buffer.concat(blocks)
}

/** Sixteen bytes hold sixteen pixels: the largest and the least, where they are, and how far the others are from the least. */
function sonyBlock(pixels: readonly number[]): Buffer {
  const [most, least] = [Math.max(...pixels), Math.min(...pixels)]
  const [mostAt, leastAt] = [pixels.indexOf(most), pixels.lastIndexOf(least)]
  let shift = 0
  while (shift < 4 && 128 << shift <= most - least) shift += 1
  let bits = BigInt(most) | (BigInt(least) << 11n) | (BigInt(mostAt) << 22n) | (BigInt(leastAt) << 26n)
  let at = 30n
  for (const [index, pixel] of pixels.entries()) {
    if (index === mostAt || index === leastAt) continue
    bits |= BigInt((pixel - least) >> shift) << at
    at += 7n
  }
  const block = Buffer.alloc(16)
  block.writeBigUInt64LE(bits & 0xffff_ffff_ffff_ffffn)
  block.writeBigUInt64LE(bits >> 64n, 8)
  return block
}

const [PART, CUT] = [0x4000, 0x2008]

/** Panasonic: blocks of 14 pixels, in parts of 16 KB that are cut and put together the other way round. */
export function panasonicBlocks(values: readonly number[]): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0; at < values.length; at += 14) blocks.push(panasonicBlock(values[at] ?? 0, values[at + 1] ?? 0))
  const whole = Buffer.concat(blocks)
  const parts: Buffer[] = []
  for (let at = 0; at < whole.length; at += PART)
    parts.push(whole.subarray(at + CUT, at + PART), whole.subarray(at, at + CUT))
  return Buffer.concat(parts)
}

/** 128 bits, read from their end: two pixels in full, and that the twelve behind them are the same by turns. */
function panasonicBlock(first: number, second: number): Buffer {
  const full = (value: number): string => value.toString(2).padStart(12, '0')
  const text = Array.from({ length: 14 }, (_, index) => {
    const step = index % 3 === 2 ? '00' : ''
    return step + (index === 0 ? full(first) : index === 1 ? full(second) : '00000000')
  }).join('')
  return Buffer.from(BigInt(`0b${text}`).toString(16).padStart(32, '0'), 'hex').reverse()
}
