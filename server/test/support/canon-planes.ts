/**
 * Canon's packing of CR3, its lossless kind without wavelets: each of the four colours of the mosaic is a plane of its own,
 * foretold from the pixels around, and what is left is written in Golomb-Rice codes that grow with what came before. The
 * short way to write many equal pixels is never taken.
 */
const LONGEST = 41
const LONG_BITS = 21
const MOST = 15

const bitsOf = (value: number, count: number): string => (count === 0 ? '' : value.toString(2).padStart(count, '0'))
const middle = (a: number, b: number, c: number): number => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))

/** How many bits the next one is expected to need, after one that was `code`. */
const adapted = (bits: number, code: number): number => {
  const high = code >> bits
  return Math.min(MOST, bits - Number(code < (1 << bits) >> 1) + Number(high > 2) + Number(high > 5))
}

/** Rows have one more value at each end: what stands left of them, and one that nothing equals right of them. */
export function canonPlane(rows: readonly (readonly number[])[]): Buffer {
  let text = ''
  let bits = 0
  const put = (difference: number): number => {
    const code = difference < 0 ? -2 * difference - 1 : 2 * difference
    const high = code >> bits
    if (high < LONGEST) text += `${'0'.repeat(high)}1${bitsOf(code & ((1 << bits) - 1), bits)}`
    else text += `${'0'.repeat(LONGEST)}1${bitsOf(code, LONG_BITS)}`
    return code
  }
  /** Where a run of equal pixels could begin, one bit says that none does. */
  const noRun = (): void => {
    text += '0'
  }

  const first = (row: readonly number[]): void => {
    for (const [index, value] of row.entries()) {
      const before = row[index - 1] ?? 0
      if (before === 0 && index < row.length - 1) noRun()
      bits = adapted(bits, put(value - before))
    }
  }

  const further = (row: readonly number[], above: readonly number[]): void => {
    for (const [index, value] of row.entries()) {
      const [corner = 0, up = 0, next = 0] = above.slice(index, index + 3)
      const left = row[index - 1] ?? up
      const last = index === row.length - 1
      const flat = !last && left === up && left === next
      if (flat) noRun()
      const code = put(value - (flat ? up : middle(left, up, left + up - corner)))
      bits = adapted(bits, last ? code : (code + 2 * Math.abs(next - up)) >> 1)
    }
  }

  let above: number[] | null = null
  for (const row of rows) {
    if (above === null) first(row)
    else further(row, above)
    above = [above?.[1] ?? 0, ...row, (row.at(-1) ?? 0) + 1]
  }
  const bytes = Buffer.alloc(Math.ceil(text.length / 64) * 8)
  for (let at = 0; at < text.length; at += 8) bytes[at / 8] = Number.parseInt(text.slice(at, at + 8).padEnd(8, '0'), 2)
  return bytes
}
