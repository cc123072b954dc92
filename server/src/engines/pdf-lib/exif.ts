/** What travels along with a picture: EXIF, colour profiles, density. Pure; runs inside the box on bytes nobody checked. */

export interface Exif {
  /** 1 to 8, how the camera was held. */
  orientation: number
  density: Density | null
}

/** Dots per inch. */
export interface Density {
  x: number
  y: number
}

const ORIENTATION = 0x112
const X_RESOLUTION = 0x11a
const Y_RESOLUTION = 0x11b
const RESOLUTION_UNIT = 0x128
const PER_CENTIMETRE = 3
export const CENTIMETRES_PER_INCH = 2.54

/** What nobody prints at is not meant; one dot to the millimetre is what libvips writes of pictures that do not say. */
export function sane(x: number, y: number): Density | null {
  const likely = (dots: number): boolean => dots >= 30 && dots <= 10_000
  return likely(x) && likely(y) && x / y < 8 && y / x < 8 ? { x, y } : null
}

/** Reads the first directory of a TIFF structure; what cannot be read is as if it were not there. */
export function readExif(tiff: Buffer): Exif {
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const u16 = (at: number): number =>
    at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  const u32 = (at: number): number =>
    at + 4 > tiff.length ? 0 : little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at)
  const values = new Map<number, number>()
  const directory = u32(4)
  const count = directory < 8 ? 0 : Math.min(u16(directory), 512)
  for (let index = 0; index < count; index++) {
    const at = directory + 2 + index * 12
    const [tag, type] = [u16(at), u16(at + 2)]
    if (type === 3) values.set(tag, u16(at + 8))
    else if (type === 5) values.set(tag, u32(u32(at + 8)) / u32(u32(at + 8) + 4))
  }
  const orientation = values.get(ORIENTATION) ?? 1
  const scale = values.get(RESOLUTION_UNIT) === PER_CENTIMETRE ? CENTIMETRES_PER_INCH : 1
  const [x = 0, y = x] = [values.get(X_RESOLUTION), values.get(Y_RESOLUTION)]
  return { orientation: orientation >= 1 && orientation <= 8 ? orientation : 1, density: sane(x * scale, y * scale) }
}

const SPACES: Readonly<Record<number, string>> = { 1: 'GRAY', 3: 'RGB ', 4: 'CMYK' }

/** A colour profile that fits the picture, or null: a reader would stumble over any other. */
export function fittingProfile(profile: Buffer | null, components: number): Buffer | null {
  if (!profile || profile.length < 132 || profile.toString('latin1', 36, 40) !== 'acsp') return null
  const size = profile.readUInt32BE(0)
  if (size < 132 || size > profile.length || profile.toString('latin1', 16, 20) !== SPACES[components]) return null
  return profile.subarray(0, size)
}

/** What every reader assumes anyway. */
export const isUsualProfile = (profile: Buffer): boolean =>
  profile.includes('sRGB') || profile.includes(Buffer.from('sRGB', 'utf16le').swap16())
