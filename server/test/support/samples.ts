/** Pictures that show what was done to them: coloured corners, frames, metadata. Made by sharp, without our engine. */
import sharp, { type OverlayOptions, type Sharp } from 'sharp'

export const CORNERS = {
  topLeft: '#ff0000',
  topRight: '#00ff00',
  bottomLeft: '#0000ff',
  bottomRight: '#ffff00',
} as const

/** Four quarters of one colour each. */
export function corners(width = 80, height = 40): Sharp {
  const quarter = (background: string, left: number, top: number): OverlayOptions => ({
    input: { create: { width: width / 2, height: height / 2, channels: 3, background } },
    left,
    top,
  })
  const blank = sharp({ create: { width, height, channels: 3, background: '#000' } })
  const painted = blank.composite([
    quarter(CORNERS.topLeft, 0, 0),
    quarter(CORNERS.topRight, width / 2, 0),
    quarter(CORNERS.bottomLeft, 0, height / 2),
    quarter(CORNERS.bottomRight, width / 2, height / 2),
  ])
  return painted.removeAlpha()
}

/** Something between a photograph and noise: no encoder finds it easy. */
export const photo = (width = 320, height = 240): Sharp =>
  sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 50 } },
  }).blur(2)

/** Noise that nothing makes small. */
export const noise = (width = 320, height = 240): Sharp =>
  sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 90 } },
  })

/** Frames of one colour each, the first `delay[0]` milliseconds long, and so on. */
export async function animation(
  as: 'gif' | 'webp',
  colours: readonly string[],
  delay: number[],
  loop = 0,
): Promise<Buffer> {
  const [width, height] = [40, 30]
  const frames = colours.map((background) =>
    sharp({ create: { width, height, channels: 4, background } })
      .raw()
      .toBuffer(),
  )
  const roll = Buffer.concat(await Promise.all(frames))
  const raw = { width, height: height * colours.length, channels: 4, pageHeight: height } as const
  return sharp(roll, { raw })[as]({ delay, loop }).toBuffer()
}

/** The colour at a place given in shares of the width and height, as `#rrggbb`, of one frame. */
export async function colourAt(bytes: Uint8Array, across: number, down: number, frame = 0): Promise<string> {
  const { data, info } = await sharp(bytes, { page: frame })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const x = Math.min(info.width - 1, Math.floor(across * info.width))
  const y = Math.min(info.height - 1, Math.floor(down * info.height))
  const at = (y * info.width + x) * info.channels
  return `#${data.subarray(at, at + 3).toString('hex')}`
}

/** Whether two colours are the same but for what encoders do. */
export function near(a: string, b: string, within = 24): boolean {
  const parts = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const other = parts(b)
  return parts(a).every((value, index) => Math.abs(value - (other[index] ?? 0)) <= within)
}
