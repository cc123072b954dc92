/** Every option of every capability of the sharp engine, seen by the library itself outside the engine, and by ExifTool. */
import sharpLibrary from 'sharp'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench } from '../../test/support/bench.ts'
import * as pictures from '../../test/support/picture-proofs.ts'
import { animation, corners, noise, photo } from '../../test/support/samples.ts'
import type { Ext } from '../catalog/formats.ts'
import { sharp } from './sharp.ts'

const { bytesOf, colour, falling, look, sizeOf, writtenProofs } = pictures
const table = await bench(sharp)
const picture = pictures.written(() => corners())
const COLOURS = ['#ff0000', '#00ff00', '#0000ff']
const frameRoll = (ext: Ext, colours: string[]): Promise<Buffer> =>
  animation(
    ext === 'gif' ? 'gif' : 'webp',
    colours,
    colours.map((_, index) => (index + 1) * 100),
  )
const moving = (ext: Ext): Promise<Buffer> => frameRoll(ext, COLOURS)
const green = { given: '#00ff00', see: colour(0.5, 0.5), shows: [0, 240, 0] }
/** Two frames of noise. */
async function noisy(ext: Ext): Promise<Buffer> {
  const one = await photo(40, 60).raw().toBuffer()
  const raw = { width: 40, height: 60, channels: 3, pageHeight: 30 } as const
  return sharpLibrary(one, { raw })
    [ext === 'gif' ? 'gif' : 'webp']({ delay: [100, 100] })
    .toBuffer()
}
/** Two pages, as the library writes them. */
const pages = Buffer.from(
  await (await import('sharp'))
    .default(await moving('gif'), { animated: true })
    .tiff()
    .toBuffer(),
)
const paged = (ext: Ext): Promise<Buffer> | Buffer => (ext === 'tiff' ? pages : moving(ext))
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="40" height="20" fill="#f00"/><rect x="40" width="40" height="20" fill="#0f0"/><rect y="20" width="40" height="20" fill="#00f"/><rect x="40" y="20" width="40" height="20" fill="#ff0"/></svg>',
)
/** Two that differ: the same twice would be one. */
const twoOf = async (ext: Ext) => [await picture(ext), await pictures.written(() => corners().negate())(ext)]
const DRAWN: Ext[] = ['svg', 'svgz']
const MOVING: Ext[] = ['gif', 'webp']
const drawn = { on: { from: DRAWN }, sample: svg }

const mild = pictures.written(() => photo(320, 240))
const harsh = pictures.written(() => noise())
const frames = async (made: Parameters<typeof look>[0], to: Ext) => (await look(made, to)).delay
const loop = async (made: Parameters<typeof look>[0], to: Ext) => (await look(made, to)).loop

optionProofs(sharp, table, {
  files: {
    ...{
      jpg: await picture('jpg'),
      png: await picture('png'),
      avif: await picture('avif'),
      webp: await picture('webp'),
    },
    ...{ gif: await picture('gif'), tiff: await picture('tiff'), svg },
  },
  options: { crop: {} },
  proofs: {
    ...pictures.onceEach(pictures.sizeProofs),
    ...pictures.changeProofs,
    ...writtenProofs,
    strip: [
      proof({ on: { to: ['gif'] }, given: false, idle: 'sharp finds no place for it in a GIF' }),
      proof({ on: { from: DRAWN, to: ['tiff'] }, given: false, idle: 'a drawing tells nothing' }),
      // How big it is in inches.
      proof({ ...drawn, given: false, see: bytesOf, shows: (changed, usual) => falling(usual, changed) }),
      pictures.carriedProofs.strip,
    ],
    'auto-orient': [
      proof({
        on: { does: 'compress', to: ['tiff'] },
        sample: await corners().withMetadata({ orientation: 6 }).tiff({ compression: 'none' }).toBuffer(),
        given: false,
        see: sizeOf,
      }),
      pictures.carriedProofs['auto-orient'],
      proof({ ...drawn, given: false, idle: 'nobody held a camera' }),
      proof({
        on: { from: ['gif', 'avif'] },
        given: false,
        idle: 'no camera makes a GIF, and an AVIF is always turned',
      }),
    ],
    image_sharpen: pictures.sharpenProof,
    jpg_progressive: [
      proof({
        on: { does: 'compress' },
        sample: mild,
        given: false,
        see: async (made, to) => (await look(made, to)).isProgressive,
      }),
      writtenProofs.jpg_progressive,
    ],
    png_interlace: [
      proof({
        on: { does: 'compress' },
        sample: await corners().png({ compressionLevel: 0 }).toBuffer(),
        given: true,
        see: async (made, to) => (await look(made, to)).isProgressive,
      }),
      writtenProofs.png_interlace,
    ],
    background: [
      proof({ on: { does: 'crop', to: ['jpg'] }, given: '#00ff00', idle: 'a JPEG has nothing transparent' }),
      ...(['crop', 'merge'] as const).map((does) =>
        proof({ on: { does, from: ['png', 'webp', 'gif', 'tiff', 'avif'] }, sample: pictures.clear, ...green }),
      ),
      proof({ on: { does: 'trim' }, sample: (ext) => frameRoll(ext, ['#00000000', '#ff0000']), ...green }),
      writtenProofs.background,
    ],
    ...Object.fromEntries(
      (['quality', 'webp_lossless', 'webp_effort', 'gif_colors', 'gif_dither'] as const).map((name) => {
        const known = [writtenProofs[name]].flat()
        return [name, [{ ...known.at(-1)!, on: { does: 'trim' as const }, sample: noisy }, ...known]]
      }),
    ),
    image_colorspace: [
      { ...pictures.wideProof, on: { does: 'trim' }, sample: moving },
      ...writtenProofs.image_colorspace,
    ],
    page: [
      proof({ on: { from: ['tiff'] }, sample: paged, given: 2, without: 1, see: colour(0.5, 0.5), shows: [0, 240, 0] }),
      proof({ sample: paged, given: 2, without: 1, see: colour(0.5, 0.5), shows: [0, 240, 0] }),
    ],
    image_pages: proof({ sample: paged, given: 'separate', see: ({ files }) => files.length, shows: 3 }),
    svg_density: proof({ ...drawn, given: 192, see: sizeOf, shows: '160x80' }),
    animation_delay: [
      proof({ on: { does: 'merge' }, sample: twoOf, given: 500, see: frames, shows: [500, 500] }),
      proof({ on: { from: MOVING }, sample: moving, given: 500, see: frames }),
    ],
    animation_loop: proof({ on: { from: MOVING }, sample: moving, given: 7, see: loop, shows: 7 }),
    compress_image: [
      proof({ on: { to: ['jpg'] }, given: 'by_size', refused: true }),
      proof({ on: { to: ['png', 'gif'] }, sample: mild, with: { quality: 20 }, given: 'lossless', refused: true }),
      proof({ sample: mild, given: 'lossless', see: bytesOf }),
    ],
    compress_perceptual: proof({ sample: mild, given: 0.6, see: bytesOf }),
    compress_max_filesize: [
      proof({ on: { to: ['png', 'gif', 'tiff'] }, sample: mild, given: '8KB', see: bytesOf, shows: falling }),
      proof({ sample: mild, given: '2KB', see: bytesOf, shows: falling }),
    ],
    compress_allow_resize: [
      ['jpg', '600B'] as const,
      ['avif', '450B'] as const,
      ['png', '1KB'] as const,
      ['webp', '1KB'] as const,
      ['gif', '1KB'] as const,
      ['tiff', '1KB'] as const,
    ].map(([to, compress_max_filesize]) =>
      proof({
        on: { to: [to] },
        sample: to === 'jpg' ? pictures.written(() => noise(640, 480)) : harsh,
        with: { compress_max_filesize },
        given: true,
        elseFails: true,
        see: bytesOf,
      }),
    ),
    x: proof({ given: 40, see: sizeOf, shows: '40x40' }),
    y: proof({ given: 20, see: sizeOf, shows: '80x20' }),
    width: proof({ given: 40, see: sizeOf, shows: '40x40' }),
    height: proof({ given: 20, see: sizeOf, shows: '80x20' }),
    aspect_ratio: proof({ given: '1:1', see: sizeOf, shows: '40x40' }),
    gravity: proof({ with: { width: 20, height: 10 }, given: 'top-right', see: colour(0.5, 0.5), shows: [0, 240, 0] }),
    start: proof({ sample: moving, given: 0.15, see: frames, shows: [200, 300] }),
    end: proof({ sample: moving, given: 0.25, see: frames, shows: [100, 200] }),
    duration: proof({ sample: moving, given: 0.25, see: frames, shows: [100, 200] }),
    ranges: proof({ sample: moving, given: '0.3-, 0-0.05', see: frames, shows: [300, 100] }),
  },
})
