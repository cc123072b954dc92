/** Proofs for the options of pictures that engines share: what another program sees of each. See contract/option-proofs.ts. */
import assert from 'node:assert/strict'
import sharp, { type Sharp } from 'sharp'
import type { Ext } from '../../src/catalog/formats.ts'
import { type AnyProof, proof } from '../contract/option-proofs.ts'
import type { Made } from './bench.ts'
import { colourAt, corners, photo } from './samples.ts'
import { shown, told } from './shown.ts'

const AS = { jpg: 'jpeg', png: 'png', webp: 'webp', avif: 'avif', gif: 'gif', tiff: 'tiff' } as const
type Plain = keyof typeof AS
const isPlain = (ext: Ext): ext is Plain => Object.hasOwn(AS, ext)
const PLAIN = Object.keys(AS).filter((ext): ext is Plain => isPlain(ext as Ext))

/** A picture in the format that is read, of good quality and quickly made. */
export const written =
  (picture: () => Sharp) =>
  async (from: Ext): Promise<Buffer> => {
    if (from === 'svg') return drawing()
    assert.ok(isPlain(from), `no sample of ${from}`)
    if (from === 'avif') return picture().avif({ quality: 90, effort: 0, chromaSubsampling: '4:4:4' }).toBuffer()
    if (from === 'tiff') return picture().tiff({ compression: 'deflate' }).toBuffer()
    if (from === 'jpg') return picture().jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
    return picture()[AS[from]]().toBuffer()
  }

/** Many small squares, as hard on encoders as noise. */
function drawing(): Buffer {
  const squares = Array.from({ length: 800 }, (_, at) => {
    const fill = ((at * 2_654_435_761) % 0xffffff).toString(16).padStart(6, '0')
    return `<rect x="${(at % 40) * 2}" y="${Math.floor(at / 40) * 2}" width="2" height="2" fill="#${fill}"/>`
  })
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40">${squares.join('')}</svg>`)
}

const first = ({ files: [file] }: Made): Buffer => {
  assert.ok(file)
  return file
}
export const bytesOf = (made: Made): number => first(made).length
export const look = async (made: Made, to: Ext) => sharp(await shown(first(made), to)).metadata()
export const sizeOf = async (made: Made, to: Ext): Promise<string> => {
  const { width, height, pageHeight } = await look(made, to)
  return `${width}x${pageHeight ?? height}`
}
const parts = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
/** Red, green and blue at a place, rounded so far that no encoder changes them. */
export const colour = (across: number, down: number) => async (made: Made, to: Ext) =>
  parts(await colourAt(await shown(first(made), to), across, down)).map((value) => Math.round(value / 40) * 40)

/** How much neighbours differ. */
async function roughness(made: Made, to: Ext): Promise<number> {
  const { data, info } = await sharp(await shown(first(made), to))
    .grayscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  let sum = 0
  for (let at = info.channels; at < data.length; at++) sum += Math.abs(data[at]! - data[at - info.channels]!)
  return sum / data.length
}
const rising = (changed: number, usual: number): void => assert.ok(changed > usual * 1.05, `${changed} after ${usual}`)
export const falling = (changed: number, usual: number): void => assert.ok(changed < usual, `${changed} after ${usual}`)

const clear = written(() => sharp({ create: { width: 80, height: 40, channels: 4, background: '#00000000' } }))
const held = written(() => corners().withMetadata({ orientation: 6 }))
const XMP =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="Secret"/></rdf:RDF></x:xmpmeta>'
const telling = written(() =>
  corners()
    .withExif({ IFD0: { Copyright: 'Secret words' } })
    .withXmp(XMP),
)
const busy = written(() => photo(80, 40))
const on = { from: [...PLAIN, 'svg'] as Ext[] }
/** What may note down how a camera was held, and whose it was. */
const onNoted = { from: ['jpg', 'png', 'webp', 'tiff'] as Ext[] }

const tells = (made: Made): boolean => first(made).includes('Secret')
const gray = async (made: Made, to: Ext): Promise<boolean> => {
  const [red = 0, green = 0, blue = 0] = parts(await colourAt(await shown(first(made), to), 0.1, 0.1))
  return Math.abs(red - green) < 8 && Math.abs(green - blue) < 8
}

/** On pictures of 80 × 40 with four coloured quarters, of whatever format an engine reads. */
export const sizeProofs = {
  resize_type_image: proof({
    // It says nothing that the sizes do not say themselves, but contradictions.
    with: { image_custom_width: 40 },
    given: 'percentage',
    refused: true,
  }),
  image_custom_width: proof({ given: 40, see: sizeOf, shows: '40x20' }),
  image_custom_height: proof({ given: 10, see: sizeOf, shows: '20x10' }),
  image_longest_side: proof({ given: 20, see: sizeOf, shows: '20x10' }),
  image_resize_percentage: proof({ given: 50, see: sizeOf, shows: '40x20' }),
  image_resize_fit: proof({
    with: { image_custom_width: 30, image_custom_height: 30 },
    given: 'stretch',
    see: sizeOf,
    shows: '30x30',
  }),
  image_resize_enlarge: proof({ with: { image_custom_width: 160 }, given: false, see: sizeOf, shows: '80x40' }),
}

export const changeProofs = {
  image_rotate: proof({ given: 90, see: sizeOf, shows: '40x80' }),
  image_flip: proof({ given: 'horizontal', see: colour(0.1, 0.1), shows: [0, 240, 0] }),
  image_grayscale: proof({ given: true, see: gray, shows: true }),
  image_negate: proof({ given: true, see: colour(0.1, 0.1), shows: [0, 240, 240] }),
  image_blur: proof({ given: 8, see: colour(0.49, 0.2) }),
  image_brightness: proof({ given: 50, see: colour(0.1, 0.1), shows: [120, 0, 0] }),
  image_contrast: proof({ given: 50, see: colour(0.1, 0.1), shows: [200, 80, 80] }),
  image_saturation: proof({ given: 0, see: gray, shows: true }),
}
export const sharpenProof = proof({ on, sample: busy, given: 3, see: roughness, shows: rising })

export const carriedProofs = {
  strip: proof({ on: { from: [...onNoted.from, 'avif'] }, sample: telling, given: false, see: tells, shows: true }),
  'auto-orient': proof({ on: onNoted, sample: held, given: false, see: sizeOf, shows: '80x40' }),
}
export const backgroundProof = proof({ on, sample: clear, given: '#00ff00', see: colour(0.5, 0.5), shows: [0, 240, 0] })

/** The same code does them all, whatever program comes before or after: one capability of an engine stands for the rest. */
export const onceEach = <K extends string>(proofs: Readonly<Record<K, AnyProof>>): Record<K, AnyProof> =>
  mapped(proofs, (each) => ({ ...each, once: true }))

function mapped<K extends string>(
  proofs: Readonly<Record<K, AnyProof>>,
  change: (proof: AnyProof) => AnyProof,
): Record<K, AnyProof> {
  const made: Record<K, AnyProof> = { ...proofs }
  for (const name in made) made[name] = change(made[name])
  return made
}

const fromPlain = <K extends string>(proofs: Readonly<Record<K, AnyProof>>): Record<K, AnyProof> =>
  mapped(proofs, (each) => ({ ...each, on }))

/** For programs that write what sharp has prepared from a PNG or a JPEG; what they keep of metadata is their own matter. */
export const changesBefore = fromPlain({
  ...changeProofs,
  'auto-orient': carriedProofs['auto-orient'],
  image_sharpen: sharpenProof,
  background: backgroundProof,
})
export const beforeProofs = onceEach({ ...fromPlain(sizeProofs), ...changesBefore })
/** Where there is nothing to keep, or no place for it. */
export const nothingToKeep = proof({ on, sample: telling, given: false, idle: 'the format has no place for metadata' })
/** Where only the meaning of colours is kept. */
export const profileKept = (...to: Ext[]) =>
  proof({
    on: { from: ['png'], to },
    sample: written(() => corners().withIccProfile('p3')),
    given: false,
    see: async (made) => /Profile (Version|Creator|Description)/.test(await told(first(made))),
    shows: true,
  })

/** Smaller for a quality that is worse. */
export const qualityProof = (given: number) => proof({ on, sample: busy, given, see: bytesOf, shows: falling })

/** What rotating leaves empty shows the background, of whatever format the picture was. */
const cornerProof = proof({
  with: { image_rotate: 45 },
  given: '#00ff00',
  see: colour(0.02, 0.02),
  shows: [0, 240, 0],
})

const dpiProof = proof({ given: 200, see: async (made, to) => (await look(made, to)).density, shows: 200 })
export const wideProof = proof({
  given: 'p3',
  see: async (made, to) => (await look(made, to)).icc !== undefined,
  shows: true,
})
const progressive = async (made: Made, to: Ext) => (await look(made, to)).isProgressive
/** "Colour type 3" of a PNG. */
const palette = (made: Made): boolean => first(made)[25] === 3
const depth = async (made: Made, to: Ext) => (await look(made, to)).bitsPerSample ?? (await look(made, to)).depth

const pngProofs = {
  png_compression_level: proof({ given: 'lossy', see: palette, shows: true }),
  png_convert_quality: proof({ given: 50, see: palette, shows: true }),
  png_interlace: proof({ given: true, see: progressive, shows: true }),
}
export const depthProof = proof({ given: '16', without: '8', see: depth })

/** For programs that read something into pixels which sharp finishes as PNG. */
export const afterProofs = onceEach({
  ...sizeProofs,
  ...changeProofs,
  ...pngProofs,
  image_sharpen: proof({ given: 3, with: { image_blur: 2 }, see: roughness, shows: rising }),
  image_colorspace: wideProof,
  image_bit_depth: depthProof,
  image_dpi: dpiProof,
  background: cornerProof,
  // What colours mean is all that is known of it.
  strip: proof({ given: false, see: async (made, to) => (await look(made, to)).icc !== undefined, shows: true }),
})

/** Both: what holds for the one reading counts first. */
export const both = (
  ...sets: readonly Readonly<Record<string, AnyProof | readonly AnyProof[]>>[]
): Record<string, AnyProof[]> => {
  const names = new Set(sets.flatMap((set) => Object.keys(set)))
  return Object.fromEntries([...names].map((name) => [name, sets.flatMap((set) => set[name] ?? [])]))
}

const strictly = { see: bytesOf, shows: falling, on, sample: busy } as const
const samples = async (made: Made, to: Ext) => (await look(made, to)).chromaSubsampling
const space = async (made: Made, to: Ext) => (await look(made, to)).space
/** Tag 259 of the first page: 5 is LZW, 8 is deflate. */
function packing(made: Made): number {
  const tiff = first(made)
  const list = tiff.readUInt32LE(4)
  const places = Array.from({ length: tiff.readUInt16LE(list) }, (_, index) => list + 2 + index * 12)
  return tiff.readUInt16LE((places.find((at) => tiff.readUInt16LE(at) === 259) ?? list) + 8)
}
/** Wherever the bytes differ the encoder has worked differently. */
const bytes = (made: Made): string => first(made).toString('base64')

/** How formats are written. Which of them holds is a matter of the target, for names mean the same everywhere. */
export const writtenProofs = {
  quality: [
    ...(['convert', 'crop'] as const).map((does) =>
      proof({ ...strictly, on: { ...on, does, to: ['tiff'] }, with: { tiff_compression: 'jpeg' }, given: 20 }),
    ),
    qualityProof(20),
  ],
  jpg_convert_compress_method: proof({
    ...{ on, sample: busy, with: { jpg_convert_compression_level: 10 }, given: 'no_change', refused: true },
  }),
  jpg_convert_compression_level: proof({ ...strictly, given: 10 }),
  jpg_progressive: proof({ on, sample: busy, given: true, see: progressive, shows: true }),
  jpg_chroma_subsampling: proof({ on, sample: busy, given: '4:4:4', see: samples, shows: '4:4:4' }),
  ...pngProofs,
  webp_lossless: proof({ on, sample: busy, given: true, see: bytesOf }),
  webp_effort: proof({ on, sample: busy, given: 0, see: bytes }),
  avif_lossless: proof({ on, sample: busy, given: true, see: bytesOf, shows: rising }),
  avif_effort: proof({ on, sample: busy, given: 4, see: bytes }),
  tiff_compression: proof({ given: 'lzw', see: packing, shows: 5 }),
  gif_colors: proof({ ...strictly, given: '4' }),
  gif_dither: proof({ ...strictly, with: { gif_colors: '4' }, given: 0 }),
  image_colorspace: [proof({ on: { to: ['jpg', 'tiff'] }, given: 'cmyk', see: space, shows: 'cmyk' }), wideProof],
  image_bit_depth: [
    proof({
      on: { to: ['avif'] },
      given: '10',
      see: async (made, to) => (await look(made, to)).bitsPerSample,
      shows: 10,
    }),
    depthProof,
  ],
  image_dpi: dpiProof,
  background: cornerProof,
}

/** For programs that read something into pixels which sharp finishes as JPEG. */
export const jpgProofs = {
  quality: proof({ given: 20, see: bytesOf, shows: falling }),
  jpg_convert_compress_method: proof({
    with: { jpg_convert_compression_level: 10 },
    given: 'no_change',
    refused: true,
  }),
  jpg_convert_compression_level: proof({ given: 10, see: bytesOf, shows: falling }),
  jpg_progressive: proof({ given: true, see: progressive, shows: true }),
  jpg_chroma_subsampling: proof({ given: '4:4:4', see: samples, shows: '4:4:4' }),
}

/** By ExifTool, for formats that pack what is told. */
export const exifSeen = async (made: Made): Promise<boolean> => (await told(first(made))).includes('Secret')

/** A picture with the colours of phones, and whether a result says so. */
export const wide = written(() => corners().withIccProfile('p3'))
export const profiled = async (made: Made, to: Ext): Promise<number> => (await look(made, to)).icc?.length ?? 0

export { busy, clear, held, telling, tells }
