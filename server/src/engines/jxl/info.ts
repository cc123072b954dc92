/** Reads what jxlinfo says of a file. Pure; its words come out of a box and are not to be trusted. */

export interface JxlInfo {
  width: number
  height: number
  /** Made from a JPEG, which can be had back. */
  jpeg: boolean
  /** Plain pixels say it all: red, green and blue as usual, no profile. */
  srgb: boolean
}

export function readJxlInfo(words: string): JxlInfo | null {
  const found = /^JPEG XL (?:image|animation), (\d{1,9})x(\d{1,9})/m.exec(words)
  if (!found) return null
  return {
    width: Number(found[1]),
    height: Number(found[2]),
    jpeg: words.includes('JPEG bitstream reconstruction data available'),
    srgb: /^Color space: RGB, D65, sRGB primaries, sRGB transfer function/m.test(words),
  }
}
