/**
 * Every option of the sharp engine once more, on one capability each, seen by ImageMagick and ExifTool: the library that
 * made a picture is no witness of its own. What holds for all the capabilities is in sharp-options.test.ts.
 */
import assert from 'node:assert/strict'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, type Made } from '../../test/support/bench.ts'
import { busy, bytesOf, clear, exifSeen, falling, held, telling, written } from '../../test/support/picture-proofs.ts'
import { animation, corners, noise, photo } from '../../test/support/samples.ts'
import { seen, seenColour, seenPixels, seenRoughness } from '../../test/support/seen.ts'
import { told } from '../../test/support/shown.ts'
import type { Ext } from '../catalog/formats.ts'
import type { OptionSet } from '../catalog/option.ts'
import { sharp } from './sharp.ts'

const table = await bench(sharp)
const picture = written(() => corners())
const moving = await animation('gif', ['#ff0000', '#00ff00', '#0000ff'], [100, 200, 300])
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40"/></svg>',
)

/** Each option at the first capability that declares it. */
const taken = new Set<string>()
const fresh = (options: OptionSet): OptionSet =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !taken.has(name) && taken.add(name)))
const can = sharp.can.map((capability) => ({ ...capability, options: fresh(capability.options) }))

const first = ({ files: [file] }: Made): Buffer => {
  assert.ok(file)
  return file
}
const says = (words: string) => (made: Made, to: Ext) => seen(first(made), to, words)
const size = says('%wx%h')
const interlace = says('%[interlace]')
const colour = (across: number, down: number) => (made: Made, to: Ext) => seenColour(first(made), to, across, down)
const topLeft = colour(0.1, 0.1)
const roughness = (made: Made, to: Ext) => seenRoughness(first(made), to)
/** Of something that shows only in how much it takes: that it is still the same picture, and its bytes. */
const opened = async (made: Made, to: Ext) => [await size(made, to), bytesOf(made)]
const times = says('%T ')
const rising = (changed: number, usual: number): void => assert.ok(changed > usual, `${changed} after ${usual}`)
const sized = (given: unknown, shows: string, more: object = {}) => proof({ ...more, given, see: size, shows })

const exact = await photo(64, 48).png().toBuffer()
const pixels = await seenPixels(exact, 'png')
/** The most by which a pixel is another. */
async function farthest(made: Made, to: Ext): Promise<number> {
  const found = await seenPixels(first(made), to)
  assert.equal(found.length, pixels.length)
  return found.reduce((most, value, index) => Math.max(most, Math.abs(value - pixels[index]!)), 0)
}
const lossless = (most: number) =>
  proof({
    on: { from: ['png'] },
    sample: exact,
    given: true,
    see: farthest,
    shows: (changed, usual) => assert.ok(changed <= most && usual > most, `${changed} after ${usual}`),
  })
const palette = proof({ given: 'lossy', see: says('%[png:IHDR.color_type]'), shows: '3 (Indexed)' })
/** Soft shades, more than four colours have. */
const shades = written(() => photo(16, 2).grayscale().blur(3).resize(160, 40, { kernel: 'cubic' }))
const mild = written(() => photo(320, 240))

optionProofs({ ...sharp, can }, table, {
  files: { jpg: await picture('jpg'), png: await picture('png'), gif: moving, svg },
  options: { crop: {} },
  proofs: {
    quality: proof({ given: 20, see: says('%Q'), shows: '20' }),
    jpg_convert_compress_method: proof({
      with: { jpg_convert_compression_level: 10 },
      given: 'no_change',
      refused: true,
    }),
    jpg_convert_compression_level: proof({ given: 10, see: says('%Q'), shows: '10' }),
    jpg_progressive: proof({ given: true, see: interlace, shows: 'JPEG' }),
    jpg_chroma_subsampling: proof({ given: '4:4:4', see: says('%[jpeg:sampling-factor]'), shows: '1x1,1x1,1x1' }),
    background: proof({ on: { from: ['png'] }, sample: clear, given: '#00ff00', see: topLeft, shows: [0, 240, 0] }),
    image_colorspace: proof({ given: 'cmyk', see: says('%[colorspace]'), shows: 'CMYK' }),
    image_dpi: proof({ given: 200, see: says('%x'), shows: '200' }),
    resize_type_image: proof({ with: { image_custom_width: 40 }, given: 'percentage', refused: true }),
    image_custom_width: sized(40, '40x20'),
    image_custom_height: sized(10, '20x10'),
    image_longest_side: sized(20, '20x10'),
    image_resize_percentage: sized(50, '40x20'),
    image_resize_fit: sized('stretch', '30x30', { with: { image_custom_width: 30, image_custom_height: 30 } }),
    image_resize_enlarge: sized(false, '80x40', { with: { image_custom_width: 160 } }),
    strip: proof({ sample: telling, given: false, see: exifSeen, shows: true }),
    'auto-orient': sized(false, '80x40', { sample: held }),
    image_rotate: sized(90, '40x80'),
    image_flip: proof({ given: 'horizontal', see: topLeft, shows: [0, 240, 0] }),
    image_grayscale: proof({ given: true, see: says('%[colorspace]'), shows: 'Gray' }),
    image_negate: proof({ given: true, see: topLeft, shows: [0, 240, 240] }),
    image_blur: proof({ given: 8, see: colour(0.49, 0.2) }),
    image_sharpen: proof({ sample: busy, given: 3, see: roughness, shows: rising }),
    image_brightness: proof({ given: 50, see: topLeft, shows: [120, 0, 0] }),
    image_contrast: proof({ given: 50, see: topLeft, shows: [200, 80, 80] }),
    image_saturation: proof({ given: 0, see: topLeft, shows: [120, 120, 120] }),
    page: proof({ given: 2, see: topLeft, shows: [0, 240, 0] }),
    image_pages: proof({
      given: 'separate',
      see: ({ files }, to) => Promise.all(files.map((file) => seenColour(file, to, 0.5, 0.5))),
      shows: [
        [240, 0, 0],
        [0, 240, 0],
        [0, 0, 240],
      ],
    }),
    svg_density: sized(192, '160x80'),
    png_compression_level: palette,
    png_convert_quality: { ...palette, given: 50 },
    png_interlace: proof({ given: true, see: interlace, shows: 'PNG' }),
    image_bit_depth: proof({ given: '16', see: says('%[png:IHDR.bit-depth-orig]'), shows: '16' }),
    avif_lossless: lossless(1),
    avif_effort: proof({ sample: busy, given: 4, see: opened }),
    tiff_compression: proof({ given: 'lzw', see: says('%C'), shows: 'LZW' }),
    webp_lossless: lossless(0),
    webp_effort: proof({ sample: busy, given: 0, see: opened }),
    animation_delay: proof({ given: 500, see: times, shows: '50 50 50' }),
    animation_loop: proof({
      given: 7,
      see: async (made) => /Loop Count\s+: 7/.test(await told(first(made))),
      shows: true,
    }),
    gif_colors: proof({ sample: busy, given: '4', see: says('%k'), shows: '4' }),
    gif_dither: proof({ sample: shades, with: { gif_colors: '4' }, given: 0, see: roughness, shows: falling }),
    compress_image: proof({ given: 'by_size', refused: true }),
    compress_perceptual: proof({ sample: mild, given: 0.6, see: says('%Q') }),
    compress_max_filesize: proof({
      sample: mild,
      given: '2KB',
      see: async (made, to) => [await size(made, to), bytesOf(made) <= 2000],
      shows: ['320x240', true],
    }),
    compress_allow_resize: proof({
      sample: written(() => noise(640, 480)),
      with: { compress_max_filesize: '600B' },
      given: true,
      elseFails: true,
      see: async (made, to) => Number((await size(made, to)).split('x')[0]) < 640,
      shows: true,
    }),
    x: sized(40, '40x40'),
    y: sized(20, '80x20'),
    width: sized(40, '40x40'),
    height: sized(20, '80x20'),
    aspect_ratio: sized('1:1', '40x40'),
    gravity: proof({ with: { width: 20, height: 10 }, given: 'top-right', see: colour(0.5, 0.5), shows: [0, 240, 0] }),
    start: proof({ given: 0.15, see: times, shows: '20 30' }),
    end: proof({ given: 0.25, see: times, shows: '10 20' }),
    duration: proof({ given: 0.25, see: times, shows: '10 20' }),
    ranges: proof({ given: '0.3-, 0-0.05', see: times, shows: '30 10' }),
  },
})
