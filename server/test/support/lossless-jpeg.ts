/** Lossless JPEG (ITU-T T.81, process 14) of two components, as cameras pack what their sensors saw. */
const BITS = 12
/** Differences of this many bits at most; each length has a code of four bits, and the last such code must stay free. */
const LENGTHS = 14

const marker = (code: number, ...body: number[]): Buffer =>
  Buffer.from([0xff, code, (body.length + 2) >> 8, (body.length + 2) & 0xff, ...body])
const pair = (value: number): [number, number] => [value >> 8, value & 0xff]

/** @param samples rows of `width` samples, the two components by turns */
export function losslessJpeg(samples: readonly number[], width: number): Buffer {
  const height = samples.length / width
  const codes = Array.from({ length: LENGTHS + 1 }, (_, index) => index)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    marker(0xc4, 0, ...Array.from({ length: 16 }, (_, index) => (index === 3 ? codes.length : 0)), ...codes),
    marker(0xc3, BITS, ...pair(height), ...pair(width / 2), 2, ...[1, 0x11, 0], ...[2, 0x11, 0]),
    // The last three begin with predictor 1: the sample to the left.
    marker(0xda, 2, ...[1, 0], ...[2, 0], 1, 0, 0),
    packed(differences(samples, width)),
    Buffer.from([0xff, 0xd9]),
  ])
}

/** What begins a row is foretold by the sample above it, and the very first one by half of the largest value. */
const differences = (samples: readonly number[], width: number): number[] =>
  samples.map((sample, index) => {
    const before = index % width < 2 ? index - width : index - 2
    return sample - (samples[before] ?? 2 ** (BITS - 1))
  })

function packed(values: readonly number[]): Buffer {
  const bits = values
    .map((value) => {
      const length = 32 - Math.clz32(Math.abs(value))
      const shown = value < 0 ? value + 2 ** length - 1 : value
      return length.toString(2).padStart(4, '0') + (length === 0 ? '' : shown.toString(2).padStart(length, '0'))
    })
    .join('')
  const bytes: number[] = []
  for (let at = 0; at < bits.length; at += 8) {
    const byte = Number.parseInt(bits.slice(at, at + 8).padEnd(8, '1'), 2)
    // A zero is stuffed behind each 0xFF, which would be a marker otherwise.
    bytes.push(...(byte === 0xff ? [byte, 0] : [byte]))
  }
  return Buffer.from(bytes)
}
