/** Encodes a picture, inside the box. */
import type { Sharp } from 'sharp'
import type { Encoding, Plan, Size } from './sharp-plan.ts'
import type { Source } from './sharp-read.ts'

export function finish(image: Sharp, plan: Plan, source: Source, encode: Encoding): Sharp {
  const deep = source.deep && ((encode.as === 'png' && !encode.with.palette) || encode.as === 'tiff')
  if (plan.effects.grayscale) image.toColourspace(deep ? 'grey16' : 'b-w')
  else if (deep) image.toColourspace(source.gray ? 'grey16' : 'rgb16')
  if (plan.keepMetadata) source.cmyk ? image.keepExif().keepXmp() : image.keepMetadata()
  const times = {
    ...(source.delay.length > 0
      ? { delay: plan.delay === null ? source.delay : source.delay.map(() => plan.delay ?? 0) }
      : {}),
    ...(source.frames > 1 ? { loop: plan.loop ?? source.loop } : {}),
  }
  return written(image, encode, times)
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
  }
}

export interface Encoded {
  bytes: Buffer
  size: Size
}

export async function encoded(image: Sharp, frames: number): Promise<Encoded> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  return {
    bytes: data,
    size: { width: info.width, height: info.pageHeight ?? info.height / (info.pages ? 1 : frames) },
  }
}
