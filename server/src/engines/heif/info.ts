/** Reads what libheif's programs say of a file. Pure; their words come out of a box and are not to be trusted. */

export interface HeifBoxes {
  /** Of the biggest picture. */
  pixels: number
  alpha: boolean
}

/** "urn:mpeg:hevc:2015:auxid:1", or its newer name: a picture that is the transparency of another. */
const ALPHA = /aux type: urn:mpeg:(?:hevc:2015:auxid:1|mpegB:cicp:systems:auxiliary:alpha)/

/** Of `heif-info --dump-boxes`, which decodes nothing and so takes milliseconds. */
export function readHeifBoxes(words: string): HeifBoxes {
  const sides = [...words.matchAll(/image width: (\d{1,9})\n[| ]*image height: (\d{1,9})/g)]
  return {
    pixels: sides.reduce((most, [, width, height]) => Math.max(most, Number(width) * Number(height)), 0),
    alpha: ALPHA.test(words),
  }
}

/** Of `heif-convert`: `File contains 2 images`. */
export const readHeifCount = (words: string): number => Number(/^File contains (\d{1,5}) image/m.exec(words)?.[1] ?? 1)

/** Of plain `heif-info`: `image: 3024x4032 (id=49), primary`, one line a picture. It decodes them all. */
export function readHeifPrimary(words: string): number {
  const images = words.split('\n').filter((line) => /^image: \d+x\d+ /.test(line))
  return Math.max(
    0,
    images.findIndex((line) => /, primary$/.test(line.trimEnd())),
  )
}
