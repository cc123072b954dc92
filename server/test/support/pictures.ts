/** Pictures for tests, made on the spot. */
import sharp from 'sharp'

/** A gradient with some noise, so that it compresses like a photograph rather than like nothing. */
export async function picture(
  format: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'avif',
  width = 320,
  height = 200,
): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3
      pixels[at] = (x * 255) / width
      pixels[at + 1] = (y * 255) / height
      pixels[at + 2] = (x * 31 + y * 17) % 97
    }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    [format]()
    .toBuffer()
}

/** A picture with a word on it. */
export function sign(word: string): Promise<Buffer> {
  const text = `<text x="20" y="80" font-family="DejaVu Sans" font-size="60">${word}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="120"><rect width="400" height="120" fill="white"/>${text}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

export const dataUri = (bytes: Uint8Array, type = 'image/png'): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
