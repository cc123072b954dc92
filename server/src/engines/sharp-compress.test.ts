/** Pictures made smaller: by quality, to a size, to a likeness, and never larger. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharpLibrary from 'sharp'
import { corners, photo } from '../../test/support/samples.ts'
import { look, png, sharpTable, shown, sized } from '../../test/support/sharp-table.ts'
import type { Ext } from '../catalog/formats.ts'
import { grayOf, likeness } from './sharp/likeness.ts'

const { make, one } = await sharpTable()

describe('the size of the file', () => {
  const sizes = async (from: Ext, bytes: Buffer, to: Ext, name: string, values: unknown[]): Promise<number[]> => {
    const made: number[] = []
    for (const value of values) made.push((await one('convert', { ext: from, bytes }, to, { [name]: value })).length)
    return made
  }
  const falling = (numbers: number[]): void => {
    const sorted = [...new Set(numbers)].sort((a, b) => b - a)
    assert.deepEqual(numbers, sorted)
  }

  it('falls with the quality, whatever its name', async () => {
    const bytes = await photo().png().toBuffer()
    falling(await sizes('png', bytes, 'jpg', 'quality', [95, 70, 30]))
    falling(await sizes('png', bytes, 'jpg', 'jpg_convert_compression_level', [95, 70, 30]))
    falling(await sizes('png', bytes, 'webp', 'quality', [95, 70, 30]))
    falling(await sizes('png', bytes, 'avif', 'quality', [90, 60, 30]))
    falling(await sizes('png', bytes, 'png', 'png_compression_level', ['lossless', 'light', 'lossy']))
    falling(await sizes('png', bytes, 'png', 'png_convert_quality', [95, 80, 60, 40, 25, 15, 5]))
    falling(await sizes('png', bytes, 'gif', 'gif_colors', [256, 16, 4, 2]))
    falling(await sizes('png', bytes, 'tiff', 'tiff_compression', ['none', 'lzw', 'jpeg']))
  })

  it('is what lossless costs, and then no pixel differs', async () => {
    const bytes = await photo(64, 64).png().toBuffer()
    const pixels = await sharpLibrary(bytes).removeAlpha().raw().toBuffer()
    for (const [to, given] of [
      ['webp', { webp_lossless: true }],
      ['png', {}],
      ['tiff', {}],
    ] as const) {
      const made = await one('convert', { ext: 'png', bytes }, to, given)
      assert.ok((await sharpLibrary(made).removeAlpha().raw().toBuffer()).equals(pixels), to)
    }
  })

  it('does not change the way it is written: progressive, interlaced, colour detail', async () => {
    const jpeg = await one('convert', { ext: 'png', bytes: png }, 'jpg', {
      jpg_progressive: true,
      jpg_chroma_subsampling: '4:4:4',
    })
    assert.deepEqual([(await look(jpeg)).isProgressive, (await look(jpeg)).chromaSubsampling], [true, '4:4:4'])
    assert.equal(
      (await look(await one('convert', { ext: 'png', bytes: png }, 'png', { png_interlace: true }))).isProgressive,
      true,
    )
  })
})

describe('compressing', () => {
  it('makes a photograph smaller in every format', async () => {
    for (const [ext, bytes] of [
      ['jpg', await photo().jpeg({ quality: 95 }).toBuffer()],
      ['png', await photo().png({ compressionLevel: 1 }).toBuffer()],
      ['webp', await photo().webp({ quality: 95 }).toBuffer()],
      ['avif', await photo(160, 120).avif({ quality: 90, effort: 0 }).toBuffer()],
      ['tiff', await photo().tiff({ compression: 'none' }).toBuffer()],
      ['gif', await photo().gif({ effort: 1 }).toBuffer()],
    ] as const) {
      const { files: made, told } = await make('compress', { ext, bytes }, ext)
      assert.ok(made[0]!.length < bytes.length, ext)
      assert.deepEqual([told.unchanged, await sized(made[0]!)], [undefined, await sized(bytes)])
    }
  })

  it('gives the file back as it is when nothing smaller comes of it', async () => {
    const bytes = await photo().jpeg({ quality: 10, mozjpeg: true }).toBuffer()
    const { files: made, told } = await make('compress', { ext: 'jpg', bytes }, 'jpg', { quality: 90 })
    assert.ok(made[0]!.equals(bytes))
    assert.equal(told.unchanged, true)
  })

  it('reaches a size in every format', async () => {
    for (const [ext, bytes, wanted] of [
      ['jpg', await photo().jpeg({ quality: 95 }).toBuffer(), 9],
      ['png', await photo().png().toBuffer(), 40],
      ['webp', await photo().webp({ quality: 95 }).toBuffer(), 6],
      ['avif', await photo(160, 120).avif({ quality: 90, effort: 0 }).toBuffer(), 2],
      ['tiff', await photo().tiff({ compression: 'none' }).toBuffer(), 14],
      ['gif', await photo().gif({ effort: 1 }).toBuffer(), 40],
    ] as const) {
      const { files: made } = await make('compress', { ext, bytes }, ext, { compress_max_filesize: `${wanted}KB` })
      assert.ok(made[0]!.length <= wanted * 1000, `${ext} ${made[0]!.length}`)
      assert.ok(made[0]!.length > wanted * 150, `${ext} ${made[0]!.length}: needlessly small`)
      assert.deepEqual(await sized(made[0]!), await sized(bytes))
    }
  })

  it('says the smallest size when one cannot be reached, and shrinks the picture when it may', async () => {
    const bytes = await photo(640, 480).jpeg().toBuffer()
    const given = { compress_image: 'by_size', compress_max_filesize: '0.8KB' }
    const refused = make('compress', { ext: 'jpg', bytes }, 'jpg', given)
    const told = await refused.then(
      () => assert.fail('it was made'),
      (error: Error) => /as small as 0\.8 KB; the smallest reachable size is ([\d.]+) KB/.exec(error.message)?.[1],
    )
    const reached = await one('compress', { ext: 'jpg', bytes }, 'jpg', { compress_max_filesize: `${told}KB` })
    assert.ok(reached.length <= Number(told) * 1000)
    const { files: made, told: news } = await make('compress', { ext: 'jpg', bytes }, 'jpg', {
      ...given,
      compress_allow_resize: true,
    })
    assert.ok(made[0]!.length <= 800)
    assert.equal(news.dimensions, (await sized(made[0]!)).join('x'))
  })

  it('finds the smallest that looks like the original', async () => {
    for (const [ext, bytes] of [
      ['jpg', await photo().jpeg({ quality: 95 }).toBuffer()],
      ['webp', await photo().webp({ quality: 95 }).toBuffer()],
      ['avif', await photo(160, 120).avif({ quality: 90, effort: 0 }).toBuffer()],
    ] as const) {
      const made = (compress_perceptual: number) => make('compress', { ext, bytes }, ext, { compress_perceptual })
      const [like, rough] = [await made(0.97), await made(0.8)]
      assert.ok(rough.files[0]!.length < like.files[0]!.length, ext)
      assert.ok(Number(rough.told.quality) < Number(like.told.quality), ext)
      const original = await grayOf(bytes)
      assert.ok(likeness(original, await grayOf(like.files[0]!)) >= 0.97, ext)
      assert.ok(likeness(original, await grayOf(rough.files[0]!)) >= 0.8, ext)
    }
    const { told } = await make('compress', { ext: 'webp', bytes: shown }, 'webp', { compress_perceptual: 0.6 })
    assert.ok(told.unchanged === true || Number(told.quality) < 95)
  })

  it('loses nothing when told so', async () => {
    for (const ext of ['png', 'webp', 'tiff'] as const) {
      const bytes = await photo(64, 64)
        [ext](ext === 'webp' ? { lossless: true, effort: 0 } : {})
        .toBuffer()
      const made = await one('compress', { ext, bytes }, ext, { compress_image: 'lossless' })
      const pixels = (of: Buffer) => sharpLibrary(of).removeAlpha().raw().toBuffer()
      assert.ok((await pixels(made)).equals(await pixels(bytes)), ext)
    }
  })
})

describe('what gets no smaller', () => {
  it('still loses what it tells', async () => {
    for (const [ext, picture] of [
      [
        'jpg',
        corners()
          .withExif({ IFD0: { Copyright: 'Secret' } })
          .jpeg({ quality: 1, mozjpeg: true }),
      ],
      [
        'webp',
        corners()
          .withExif({ IFD0: { Copyright: 'Secret' } })
          .webp({ quality: 1, effort: 6 }),
      ],
    ] as const) {
      const bytes = await picture.toBuffer()
      const { files } = await make('compress', { ext, bytes }, ext, { quality: 100 })
      assert.ok(files[0]!.length < bytes.length && !files[0]!.includes('Secret'), ext)
      const kept = await make('compress', { ext, bytes }, ext, { quality: 100, strip: false })
      assert.ok(kept.files[0]!.equals(bytes) && kept.told.unchanged === true, ext)
    }
  })
})
