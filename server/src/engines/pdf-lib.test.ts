import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { crc32 } from 'node:zlib'
import sharpLibrary from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs } from '../../test/contract/option-proofs.ts'
import { bench } from '../../test/support/bench.ts'
import { pageProofs } from '../../test/support/page-proofs.ts'
import { drawn, storedPictures } from '../../test/support/pdf-look.ts'
import { ask, pdfFact, soundPdf, unpacked } from '../../test/support/sample-pdf.ts'
import { colourAt, corners, near, photo } from '../../test/support/samples.ts'
import { createCatalog } from '../catalog/catalog.ts'
import { checkEngines } from '../catalog/check.ts'
import type { Ext } from '../catalog/formats.ts'
import { PAGE_SIZES } from '../catalog/vocabulary/page.ts'
import { pdfLib } from './pdf-lib.ts'
import { pdfLibDocuments } from './pdf-lib-documents.ts'
import { sharp } from './sharp.ts'

const table = await bench(pdfLib)
const A4 = '1240.2x1753.95'

const jpg = await corners(300, 150)
  .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
  .withMetadata({ density: 72 })
  .toBuffer()
const png = await corners(300, 150).png().withMetadata({ density: 72 }).toBuffer()

const noise = sharpLibrary(await photo(60, 45).removeAlpha().png().toBuffer())
/** Opacity that differs from pixel to pixel. */
const veil = Buffer.from(Array.from({ length: 60 * 45 }, (_, at) => (at * 7 + (at >> 5) * 13) % 256))
const veiled = noise.clone().joinChannel(veil, { raw: { width: 60, height: 45, channels: 1 } })

async function make(ext: Ext, bytes: Uint8Array, given: Record<string, unknown> = {}): Promise<Buffer> {
  const { files } = await table.make('convert', { ext, bytes }, 'pdf', given)
  await soundPdf(files[0]!)
  return files[0]!
}

const sized = async (bytes: Uint8Array): Promise<number[]> =>
  ((await pdfFact(bytes, 'Page size')) ?? '').split(' ').map(Number.parseFloat).filter(Number.isFinite)

/** Pixels of red, green, blue and alpha, so that two pictures can be compared whatever they are packed in. */
const pixels = async (bytes: Uint8Array): Promise<Buffer> =>
  sharpLibrary(bytes).toColourspace('srgb').ensureAlpha().raw().toBuffer()

engineContract(pdfLib, table, {
  files: { jpg, png },
  async opens(bytes) {
    await soundPdf(bytes)
    assert.equal(await pdfFact(bytes, 'Pages'), '1')
  },
})

optionProofs(pdfLib, table, { files: { jpg, png }, proofs: pageProofs })

describe('what is offered', () => {
  it('is declared without a mistake', () => assert.deepEqual(checkEngines([sharp, pdfLib, pdfLibDocuments]), []))

  it('for a JPEG is what the specification shows', () => {
    const described = createCatalog([sharp, pdfLib]).describe('convert', 'jpg', 'pdf')
    assert.deepEqual([described?.sourceExt, described?.targetExt, described?.operation], ['jpg', 'pdf', 'convert'])
    const [strip, size, enlarge] = described?.options ?? []
    assert.deepEqual(
      [strip?.name, strip?.data_type, strip?.default_value, strip?.conditions],
      ['strip', 'boolean', 'true', []],
    )
    assert.deepEqual(
      [size?.name, size?.data_type, size?.type, size?.default_value, size?.conditions],
      ['pdf_page_size', 'string', 'enum', '', []],
    )
    const values = size?.enum_values?.map(({ value, label }) => [value, label]) ?? []
    assert.deepEqual(values[0], ['same-as-image', 'Same as image'])
    for (const one of [
      ['1240.2x1753.95', 'A4'],
      ['1753.95x2480.25', 'A3'],
      ['1275x1650', 'Letter'],
    ]) {
      assert.ok(
        values.some((value) => value.join() === one.join()),
        one.join(),
      )
    }
    assert.deepEqual(
      [enlarge?.name, enlarge?.data_type, enlarge?.default_value],
      ['enlarge_images_to_fit', 'boolean', 'true'],
    )
    const meta = Object.entries(PAGE_SIZES).map(([value, label]) => ({ value, label }))
    assert.deepEqual(enlarge?.conditions, [{ name: 'pdf_page_size', required: true, meta }])
  })

  it('leads other pictures here without loss', () => {
    const catalog = createCatalog([sharp, pdfLib])
    for (const from of ['webp', 'tiff', 'avif', 'gif', 'svg'] as const) {
      const hops = catalog.route('convert', from, 'pdf')?.hops.map((hop) => `${hop.to} by ${hop.engine.id}`)
      assert.deepEqual(hops, ['png by sharp', 'pdf by pdf-lib'], from)
    }
  })

  it('leads them into a merge without loss, and documents as they are', () => {
    const route = createCatalog([sharp, pdfLib, pdfLibDocuments]).route('merge', ['webp', 'pdf', 'jpg'], 'pdf')
    assert.deepEqual(
      route?.before.map((hops) => hops.map(({ to }) => to)),
      [['png'], [], []],
    )
  })

  it('has the sizes of the paper they are named after', () => {
    const millimetres: Record<string, [number, number]> = {
      A0: [841, 1189],
      A4: [210, 297],
      A6: [105, 148],
      B5: [176, 250],
    }
    for (const [value, label] of Object.entries(PAGE_SIZES)) {
      const inches = value.split('x').map((side) => Number(side) / 150)
      const paper = millimetres[label]?.map((side) => side / 25.4)
      if (paper) for (const [side, inch] of inches.entries()) assert.ok(Math.abs(inch - paper[side]!) < 0.001, label)
    }
  })
})

describe('a JPEG', () => {
  const stored = async (pdf: Buffer): Promise<Buffer> => (await storedPictures(pdf))[0]!.bytes

  it('goes in byte for byte when nothing is to be removed', async () => {
    for (const bytes of [
      jpg,
      await photo()
        .jpeg({ progressive: true })
        .withMetadata({ exif: { IFD0: { Artist: 'Ada' } } })
        .toBuffer(),
      await photo().grayscale().jpeg().toBuffer(),
    ]) {
      assert.ok((await stored(await make('jpg', bytes, { strip: false }))).equals(bytes))
    }
  })

  it('loses what is told about it, and not a pixel', async () => {
    const bytes = await photo()
      .jpeg()
      .withMetadata({ exif: { IFD0: { Artist: 'Ada Lovelace' } } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>')
      .toBuffer()
    assert.ok(bytes.includes('Lovelace') && bytes.includes('<secret'))
    const pdf = await make('jpg', bytes)
    const picture = await stored(pdf)
    assert.ok(!pdf.includes('Lovelace') && !pdf.includes('<secret'))
    assert.ok((await pixels(picture)).equals(await pixels(bytes)))
    assert.ok(picture.length < bytes.length)
  })

  it('ends where its picture ends when it is stripped', async () => {
    const trailed = Buffer.concat([jpg, Buffer.from('and a whole film behind it')])
    assert.ok(!(await make('jpg', trailed)).includes('a whole film'))
  })

  it('keeps the colours of its profile, and drops the one everybody assumes', async () => {
    const spaces = async (profile: string, given = {}) =>
      ask(
        'pdfimages',
        ['-list', '{}'],
        await make('jpg', await photo().withIccProfile(profile).jpeg().toBuffer(), given),
      )
    assert.match(await spaces('p3'), / icc +3 +8 +jpeg/)
    assert.match(await spaces('srgb'), / rgb +3 +8 +jpeg/)
    assert.match(await spaces('srgb', { strip: false }), / icc +3 +8 +jpeg/)
  })

  it('in CMYK shows its own colours', async () => {
    const bytes = await corners().toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 100 }).toBuffer()
    const pdf = await make('jpg', bytes)
    assert.match(await ask('pdfimages', ['-list', '{}'], pdf), /4 +8 +jpeg/)
    const shown = await drawn(pdf)
    const expected = await sharpLibrary(bytes).toColourspace('srgb').png().toBuffer()
    for (const [across, down] of [
      [0.25, 0.25],
      [0.75, 0.75],
    ] as const) {
      assert.ok(near(await colourAt(shown, across, down), await colourAt(expected, across, down), 40))
    }
  })

  it('is turned as the camera was held, without touching it', async () => {
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const held = await sharpLibrary(jpg).withMetadata({ orientation, density: 72 }).jpeg({ quality: 100 }).toBuffer()
      const pdf = await make('jpg', held, { strip: false })
      assert.ok((await stored(pdf)).equals(held))
      const shown = await drawn(pdf)
      const upright = await sharpLibrary(held).autoOrient().png().toBuffer()
      const { width, height } = await sharpLibrary(upright).metadata()
      assert.deepEqual(await sized(pdf), [width, height])
      for (const [across, down] of [
        [0.2, 0.2],
        [0.8, 0.2],
        [0.2, 0.8],
      ] as const) {
        assert.ok(near(await colourAt(shown, across, down), await colourAt(upright, across, down)), `${orientation}`)
      }
    }
  })

  it('lies as it is stored when nobody is to turn it', async () => {
    const held = await sharpLibrary(jpg).withMetadata({ orientation: 6, density: 72 }).jpeg().toBuffer()
    assert.deepEqual(await sized(await make('jpg', held, { 'auto-orient': false })), [300, 150])
    assert.deepEqual(await sized(await make('jpg', held)), [150, 300])
  })
})

describe('a PNG', () => {
  const one = async (bytes: Buffer): Promise<string> => {
    const pdf = await make('png', bytes)
    const shown = await sharpLibrary(await drawn(pdf, 1, 150))
      .raw()
      .toBuffer()
    const expected = await sharpLibrary(bytes)
      .toColourspace('srgb')
      .flatten({ background: '#fff' })
      .removeAlpha()
      .raw()
      .toBuffer()
    assert.equal(shown.length, expected.length)
    const worst = shown.reduce((most, value, at) => Math.max(most, Math.abs(value - expected[at]!)), 0)
    assert.ok(worst <= 2, `off by ${worst}`)
    return ask('pdfimages', ['-list', '{}'], pdf)
  }
  // Sharp says 72 dots per inch; without a density every pixel is one of 150 to the inch.
  const bare = (bytes: Buffer): Buffer => {
    const at = bytes.indexOf('pHYs')
    return at < 0 ? bytes : Buffer.concat([bytes.subarray(0, at - 4), bytes.subarray(at + 17)])
  }
  const kinds: [string, () => Promise<Buffer>, RegExp][] = [
    ['of colours keeps its own bytes', () => noise.clone().png().toBuffer(), /image +60 +45 +rgb +3 +8 +image/],
    ['of grays', () => noise.clone().grayscale().toColourspace('b-w').png().toBuffer(), /image +60 +45 +gray +1 +8 /],
    [
      'with a palette',
      () => noise.clone().png({ palette: true, colours: 16 }).toBuffer(),
      /image +60 +45 +index +1 +4 /,
    ],
    ['with opacity', () => veiled.clone().png({ adaptiveFiltering: true }).toBuffer(), /smask +60 +45 +gray +1 +8 /],
    [
      'with opacity in its palette',
      () => veiled.clone().png({ palette: true }).toBuffer(),
      /smask +60 +45 +gray +1 +8 /,
    ],
    [
      'of grays with opacity',
      () => veiled.clone().grayscale().png({ adaptiveFiltering: true }).toBuffer(),
      /smask +60 +45 +gray +1 +8 /,
    ],
    [
      'of 16 bits',
      () => noise.clone().toColourspace('rgb16').png({ adaptiveFiltering: true }).toBuffer(),
      /rgb +3 +16 /,
    ],
    [
      'of 16 bits with opacity',
      () => veiled.clone().toColourspace('rgb16').png({ adaptiveFiltering: true }).toBuffer(),
      /smask +60 +45 +gray +1 +16 /,
    ],
    [
      'interlaced',
      () => noise.clone().png({ progressive: true, adaptiveFiltering: true }).toBuffer(),
      /image +60 +45 +rgb +3 +8 /,
    ],
    [
      'interlaced with a palette',
      () => noise.clone().png({ progressive: true, palette: true, colours: 4 }).toBuffer(),
      /index +1 +2 /,
    ],
    [
      'interlaced with opacity',
      () => veiled.clone().png({ progressive: true, adaptiveFiltering: true }).toBuffer(),
      /smask +60 +45/,
    ],
  ]
  for (const [what, build, listed] of kinds) {
    it(`${what} looks as it did`, async () => assert.match(await one(bare(await build())), listed))
  }

  it('keeps its packed pixels as they are', async () => {
    const bytes = bare(await noise.clone().png({ adaptiveFiltering: true }).toBuffer())
    const at = bytes.indexOf('IDAT')
    const packed = bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4))
    assert.ok((await make('png', bytes)).includes(packed))
  })

  it('that is opaque all over gets no mask', async () => {
    assert.doesNotMatch(
      await one(bare(await noise.clone().ensureAlpha().png({ adaptiveFiltering: true }).toBuffer())),
      /smask/,
    )
  })

  it('with one transparent colour lets the page through there', async () => {
    const red = await sharpLibrary({ create: { width: 20, height: 20, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer()
    const chunk = Buffer.from('0000000674524e5300ff00000000', 'hex')
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(chunk.subarray(4)))
    const at = red.indexOf('IDAT') - 4
    const keyed = Buffer.concat([red.subarray(0, at), chunk, sum, red.subarray(at)])
    assert.equal(await colourAt(await drawn(await make('png', keyed)), 0.5, 0.5), '#ffffff')
  })

  it('hands its XMP on only when it may', async () => {
    const bytes = await noise
      .clone()
      .png()
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><mark/></x:xmpmeta>')
      .toBuffer()
    assert.ok((await unpacked(await make('png', bytes, { strip: false }))).includes('<mark/>'))
    assert.ok(!(await unpacked(await make('png', bytes))).includes('<mark/>'))
  })
})

describe('a page', () => {
  /** Where the picture lies, in shares of the page, by what is not white. */
  async function lies(given: Record<string, unknown>): Promise<{ page: number[]; box: number[] }> {
    const pdf = await make('png', png, given)
    const shown = await drawn(pdf)
    const { data, info } = await sharpLibrary(shown).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const box = [info.width, info.height, 0, 0]
    for (let y = 0; y < info.height; y++) {
      for (let x = 0; x < info.width; x++) {
        const at = (y * info.width + x) * 3
        if (data[at]! > 250 && data[at + 1]! > 250 && data[at + 2]! > 250) continue
        box.splice(0, 4, Math.min(box[0]!, x), Math.min(box[1]!, y), Math.max(box[2]!, x + 1), Math.max(box[3]!, y + 1))
      }
    }
    return { page: (await sized(pdf)).map(Math.round), box }
  }

  const cases: [string, Record<string, unknown>, number[], number[]][] = [
    ['is as big as the picture', {}, [300, 150], [0, 0, 300, 150]],
    ['is as big as the picture when told so', { pdf_page_size: 'same-as-image' }, [300, 150], [0, 0, 300, 150]],
    ['grows by the margin', { pdf_margin: 100 }, [396, 246], [48, 48, 348, 198]],
    ['has a margin in percent', { pdf_margin: '10%' }, [330, 180], [15, 15, 315, 165]],
    ['is turned as the picture is', { pdf_page_size: A4 }, [842, 595], [0, 87, 842, 508]],
    ['stands when told so', { pdf_page_size: A4, pdf_orientation: 'portrait' }, [595, 842], [0, 272, 595, 570]],
    ['lies when told so', { pdf_page_size: A4, pdf_orientation: 'landscape' }, [842, 595], [0, 87, 842, 508]],
    [
      'holds a picture no bigger than it is',
      { pdf_page_size: A4, pdf_orientation: 'portrait', enlarge_images_to_fit: false },
      [595, 842],
      [147, 345, 448, 496],
    ],
    [
      'holds it at the top left within the margin',
      { pdf_page_size: A4, pdf_image_alignment: 'TopLeft', enlarge_images_to_fit: false, pdf_margin: '50px' },
      [842, 595],
      [24, 24, 324, 174],
    ],
    [
      'holds it at the bottom right',
      { pdf_page_size: 'a3', pdf_image_alignment: 'BottomRight', enlarge_images_to_fit: false },
      [1191, 842],
      [890, 691, 1191, 842],
    ],
    [
      'holds it at the top',
      { pdf_page_size: A4, pdf_orientation: 'portrait', pdf_image_alignment: 'Top' },
      [595, 842],
      [0, 0, 595, 298],
    ],
  ]
  for (const [what, given, page, box] of cases) {
    it(what, async () => {
      const size = given.pdf_page_size === 'a3' ? '1753.95x2480.25' : given.pdf_page_size
      const found = await lies({ ...given, ...(size !== undefined && { pdf_page_size: size }) })
      assert.deepEqual(found.page, page)
      for (const [side, value] of box.entries()) assert.ok(Math.abs(found.box[side]! - value) <= 1, `${found.box}`)
    })
  }

  it('follows the density of a scan', async () => {
    const scan = await sharpLibrary({ create: { width: 1240, height: 1754, channels: 3, background: '#eee' } })
      .jpeg()
      .withMetadata({ density: 150 })
      .toBuffer()
    assert.deepEqual((await sized(await make('jpg', scan))).map(Math.round), [595, 842])
  })

  it('is never bigger than readers take', async () => {
    const long = await sharpLibrary({ create: { width: 40, height: 60_000, channels: 3, background: '#eee' } })
      .jpeg()
      .withMetadata({ density: 72 })
      .toBuffer()
    assert.deepEqual((await sized(await make('jpg', long)))[1], 14_400)
  })
})

it('every alignment has a place of its own', async () => {
  const names = ['TopLeft', 'Top', 'TopRight', 'Left', 'Center', 'Right', 'BottomLeft', 'Bottom', 'BottomRight']
  const found = new Set<string>()
  for (const pdf_image_alignment of names) {
    const given = { pdf_page_size: A4, pdf_orientation: 'landscape', enlarge_images_to_fit: false, pdf_image_alignment }
    found.add(
      /q [\d.]+ 0 0 [\d.]+ ([\d.]+ [\d.]+) cm/.exec((await make('png', png, given)).toString('latin1'))?.[1] ?? '',
    )
  }
  assert.equal(found.size, 9)
})
