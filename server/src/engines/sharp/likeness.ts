/**
 * How like another a picture looks, inside the box: the structural similarity of their brightness (Wang et al., 2004), over
 * blocks of eight pixels. 1 is the same; 0.95 shows on a second look, 0.98 hardly.
 */
import sharp, { type Sharp } from 'sharp'

export interface Gray {
  pixels: Buffer
  width: number
  height: number
}

export async function grayOf(image: Sharp | Buffer): Promise<Gray> {
  const opened = Buffer.isBuffer(image) ? sharp(image, { limitInputPixels: false, animated: true }) : image
  const { data, info } = await opened
    .flatten({ background: '#808080' })
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  if (info.channels === 1) return { pixels: data, width: info.width, height: info.height }
  const pixels = Buffer.allocUnsafe(info.width * info.height)
  for (let at = 0; at < pixels.length; at++) pixels[at] = data[at * info.channels] ?? 0
  return { pixels, width: info.width, height: info.height }
}

const BLOCK = 8
/** "(K1 L)²" and "(K2 L)²", with K1 = 0.01, K2 = 0.03 and L = 255. */
const [C1, C2] = [6.5025, 58.5225]

/** Of one block, whose sides may be shorter at the edges. */
function block(a: Gray, b: Gray, left: number, top: number): number {
  const [right, bottom] = [Math.min(left + BLOCK, a.width), Math.min(top + BLOCK, a.height)]
  let [sumA, sumB, squareA, squareB, product] = [0, 0, 0, 0, 0]
  for (let y = top; y < bottom; y++) {
    for (let at = y * a.width + left; at < y * a.width + right; at++) {
      const [p, q] = [a.pixels[at] ?? 0, b.pixels[at] ?? 0]
      sumA += p
      sumB += q
      squareA += p * p
      squareB += q * q
      product += p * q
    }
  }
  const count = (right - left) * (bottom - top)
  const [meanA, meanB] = [sumA / count, sumB / count]
  const spread = squareA / count - meanA * meanA + squareB / count - meanB * meanB
  const together = product / count - meanA * meanB
  return ((2 * meanA * meanB + C1) * (2 * together + C2)) / ((meanA * meanA + meanB * meanB + C1) * (spread + C2))
}

export function likeness(a: Gray, b: Gray): number {
  if (a.width !== b.width || a.height !== b.height) return 0
  let [sum, blocks] = [0, 0]
  for (let y = 0; y < a.height; y += BLOCK) {
    for (let x = 0; x < a.width; x += BLOCK) {
      sum += block(a, b, x, y)
      blocks += 1
    }
  }
  return blocks === 0 ? 0 : sum / blocks
}
