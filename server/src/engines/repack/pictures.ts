/** Makes the pictures of a document smaller, each in its own format and under its own name. Runs inside a box. */
import sharp, { type Sharp } from 'sharp'

export interface PictureWish {
  quality: number
  /** Pixels of the longer side; null leaves the size. */
  longest: number | null
  strip: boolean
}

const MOST_PIXELS = 100e6
/** What is that small is an icon, and not worth a loss. */
const FEWEST_BYTES = 2048

const isJpeg = (bytes: Buffer): boolean => bytes.readUIntBE(0, 3) === 0xffd8ff
const isPng = (bytes: Buffer): boolean => bytes.readUInt32BE(0) === 0x89504e47

const encoded = (picture: Sharp, jpeg: boolean, quality: number): Sharp =>
  jpeg
    ? picture.jpeg({ quality, mozjpeg: true })
    : picture.png({ compressionLevel: 9, effort: 7, ...(quality < 100 && { palette: true, quality, dither: 0.8 }) })

/** Null where it is no such picture, cannot be read, or would not become smaller. */
export async function smaller(bytes: Buffer, { quality, longest, strip }: PictureWish): Promise<Buffer | null> {
  if (bytes.length < FEWEST_BYTES || !(isJpeg(bytes) || isPng(bytes))) return null
  try {
    const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
    const { width, height, space, orientation, pages = 1 } = await picture.metadata()
    // Colours for printers would change; so would what moves.
    if (space === 'cmyk' || pages > 1) return null
    if (longest !== null && Math.max(width, height) > longest)
      picture.resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true })
    if (!strip) picture.keepMetadata()
    // How it was held is part of how it looks, whatever else is taken away.
    else if (orientation !== undefined && orientation > 1) picture.withMetadata({ orientation })
    const made = await encoded(picture, isJpeg(bytes), quality).toBuffer()
    return made.length < bytes.length ? made : null
  } catch {
    return null
  }
}
