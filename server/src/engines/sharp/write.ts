/** Encodes a picture, inside the box. */
import type { OutputInfo, Sharp } from 'sharp'
import { writeExr } from './linear.ts'
import type { Encoding, Plan, Size } from './plan.ts'
import type { Source } from './read.ts'

export function finish(image: Sharp, plan: Plan, source: Source, encode: Encoding): Sharp {
  colours(image, plan, source, encode)
  metadata(image, plan, source)
  const times = {
    ...(source.delay.length > 0
      ? { delay: plan.delay === null ? source.delay : source.delay.map(() => plan.delay ?? 0) }
      : {}),
    ...(source.frames > 1 ? { loop: plan.loop ?? source.loop } : {}),
  }
  // The palette of the input has none of the new colours.
  if (encode.as === 'gif' && recolours(plan)) return image.gif({ ...encode.with, ...times, reuse: false })
  return written(image, encode, times)
}

const recolours = ({ effects, flatten, rotate }: Plan): boolean =>
  flatten ||
  rotate % 90 !== 0 ||
  effects.grayscale ||
  effects.negate ||
  [effects.brightness, effects.contrast, effects.saturation].some((factor) => factor !== 1)

function metadata(image: Sharp, plan: Plan, { cmyk, wide }: Source): void {
  const { space } = plan
  if (plan.keepMetadata && plan.upright) image.withMetadata({ orientation: 1 }).withIccProfile(wide ? 'p3' : 'srgb')
  else if (plan.keepMetadata) cmyk || space ? image.keepExif().keepXmp() : image.keepMetadata()
  if (space === 'p3' || space === 'cmyk') image.withIccProfile(space)
  // Noting a density brings all of the Exif along, unless there is another.
  if (plan.dpi !== null) (plan.keepMetadata ? image : image.withExif({})).withDensity(plan.dpi)
}

/** The space of the pixels, with 16 bits a channel where the picture or the caller has them and the format can. */
function colours(image: Sharp, plan: Plan, source: Source, encode: Encoding): void {
  const able = (encode.as === 'png' && !encode.with.palette) || encode.as === 'tiff'
  const deep = able && (plan.depth === null ? source.deep : plan.depth === 16)
  if (encode.as === 'exr') return
  if (encode.as === 'pgm') image.toColourspace('b-w')
  else if (plan.space === 'cmyk') image.toColourspace('cmyk')
  else if (plan.effects.grayscale) image.toColourspace(deep ? 'grey16' : 'b-w')
  else if (deep) image.toColourspace(source.gray ? 'grey16' : 'rgb16')
}

function written(image: Sharp, encode: Encoding, times: { delay?: number[]; loop?: number }): Sharp {
  switch (encode.as) {
    case 'jpeg':
      return image.jpeg(encode.with)
    case 'png':
      return image.png(encode.with)
    case 'webp':
      return image.webp({ ...encode.with, ...times })
    case 'avif':
      return image.avif(encode.with)
    case 'gif':
      return image.gif({ ...encode.with, ...times })
    case 'tiff':
      return image.tiff(encode.with)
    // Light itself, not how bright it looks.
    case 'exr':
      return image.toColourspace('scrgb').raw({ depth: 'float' })
    case 'pgm':
      return image.removeAlpha().raw({ depth: 'uchar' })
  }
}

export interface Encoded {
  bytes: Buffer
  size: Size
}

/** What sharp has no encoder for. */
function packed(pixels: Buffer, encode: Encoding, { width, height, channels }: OutputInfo): Buffer {
  if (encode.as === 'pgm') return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels])
  if (encode.as !== 'exr') return pixels
  const floats = new Float32Array(pixels.buffer.slice(pixels.byteOffset, pixels.byteOffset + pixels.length))
  return writeExr(floats, { width, height }, channels, encode.with)
}

export async function encoded(image: Sharp, frames: number, encode: Encoding): Promise<Encoded> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  return {
    bytes: packed(data, encode, info),
    size: { width: info.width, height: info.pageHeight ?? info.height / (info.pages ? 1 : frames) },
  }
}
