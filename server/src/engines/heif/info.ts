/** Reads what libheif's programs say of a file. Pure; their words come out of a box and are not to be trusted. */

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
