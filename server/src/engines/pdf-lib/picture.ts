/** Makes a document of one page from one picture, inside the box. A JPEG goes in byte for byte; no pixel is computed anew. */
import { type PDFContext, PDFDocument, PDFName, type PDFRef } from '@cantoo/pdf-lib'
import { type Density, fittingProfile, isUsualProfile } from './exif.ts'
import { readJpeg } from './jpeg.ts'
import { maskOf, pixelsOf, readingOf } from './pixels.ts'
import { matrix, place } from './place.ts'
import type { PictureQuestion, Size } from './plan.ts'
import { type Png, readPng } from './png.ts'
import { DocumentProblem } from './trouble.ts'

/** Of a picture that does not say: the unit page sizes are counted in. */
const USUAL_DENSITY: Density = { x: 150, y: 150 }
const POINTS_PER_INCH = 72
const DEVICE: Readonly<Record<number, string>> = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' }

interface Picture extends Size {
  orientation: number
  density: Density | null
  /** Called once the page is known to be possible: writes the picture and tells where. */
  write(context: PDFContext): Promise<PDFRef>
}

function checkPixels({ width, height }: Size, most: number): void {
  if (width * height > most) throw new DocumentProblem('too-many-pixels', 'the picture', { width, height, most })
}

/** Colours as they are meant: by the picture's own profile, or by what every reader assumes. */
function colourSpace(context: PDFContext, profile: Buffer | null, components: number, strip: boolean) {
  const fitting = fittingProfile(profile, components)
  if (!fitting || (strip && isUsualProfile(fitting))) return PDFName.of(DEVICE[components] ?? 'DeviceGray')
  return context.obj(['ICCBased', context.register(context.flateStream(fitting, { N: components }))])
}

function jpeg(bytes: Buffer, { strip, maxPixels }: PictureQuestion): Picture {
  const found = readJpeg(bytes)
  checkPixels(found, maxPixels)
  const { width, height, components, orientation, density } = found
  const write = async (context: PDFContext): Promise<PDFRef> =>
    context.register(
      context.stream(strip ? found.bare : bytes, {
        Type: 'XObject',
        Subtype: 'Image',
        Width: width,
        Height: height,
        BitsPerComponent: 8,
        ColorSpace: colourSpace(context, found.profile, components, strip),
        Filter: 'DCTDecode',
        ...(found.inverted && { Decode: [1, 0, 1, 0, 1, 0, 1, 0] }),
        ...(found.plainRgb && { DecodeParms: { ColorTransform: 0 } }),
      }),
    )
  return { width, height, orientation, density, write }
}

function pngColours(context: PDFContext, png: Png, strip: boolean) {
  if (!png.palette) return colourSpace(context, png.profile, png.colours, strip)
  // A place beyond the end of the palette is black rather than an error.
  const places = 2 ** png.depth
  const palette = Buffer.alloc(places * 3)
  png.palette.copy(palette)
  const base = colourSpace(context, png.profile, 3, strip)
  return context.obj(['Indexed', base, places - 1, context.register(context.flateStream(palette))])
}

async function writePng(context: PDFContext, png: Png, strip: boolean): Promise<PDFRef> {
  const { width, height, depth, colours } = png
  const pixels = await pixelsOf(png)
  const shared = { Type: 'XObject', Subtype: 'Image', Width: width, Height: height, Filter: 'FlateDecode' }
  const { opacity } = pixels
  const mask = maskOf(png)
  const seen =
    opacity &&
    context.stream(opacity.bytes, {
      ...shared,
      BitsPerComponent: opacity.depth,
      ColorSpace: 'DeviceGray',
      DecodeParms: readingOf(width, opacity.depth, 1),
    })
  const told = !strip && png.xmp && context.stream(png.xmp, { Type: 'Metadata', Subtype: 'XML' })
  const image = context.stream(pixels.colours, {
    ...shared,
    BitsPerComponent: depth,
    ColorSpace: pngColours(context, png, strip),
    DecodeParms: readingOf(width, depth, colours),
    ...(seen && { SMask: context.register(seen) }),
    ...(mask && { Mask: mask }),
    ...(told && { Metadata: context.register(told) }),
  })
  return context.register(image)
}

function png(bytes: Buffer, { strip, maxPixels }: PictureQuestion): Picture {
  const found = readPng(bytes)
  checkPixels(found, maxPixels)
  const { width, height, orientation, density } = found
  return { width, height, orientation, density, write: (context) => writePng(context, found, strip) }
}

/** The size in points of the picture as it is shown. */
function natural({ width, height, density }: Picture, orientation: number): Size {
  const { x, y } = density ?? USUAL_DENSITY
  const [across, down] = [(width * POINTS_PER_INCH) / x, (height * POINTS_PER_INCH) / y]
  return orientation > 4 ? { width: down, height: across } : { width: across, height: down }
}

/** As PDF writes numbers: no exponents, and no more digits than anybody sees. */
const number = (value: number): string => String(Number(value.toFixed(4)))

export async function documentOf(question: PictureQuestion, bytes: Buffer): Promise<Uint8Array> {
  const picture = (question.format === 'jpg' ? jpeg : png)(bytes, question)
  const orientation = question.orient ? picture.orientation : 1
  const size = natural(picture, orientation)
  const placed = place(size, question.page)
  if (!placed) throw new DocumentProblem('no-room', 'the margin is wider than the page')
  const document = await PDFDocument.create({ updateMetadata: false })
  const { context } = document
  const image = await picture.write(context)
  const page = document.addPage([Number(number(placed.page.width)), Number(number(placed.page.height))])
  const content = `q ${matrix(orientation, placed).map(number).join(' ')} cm /Picture Do Q`
  page.node.set(PDFName.of('Contents'), context.register(context.stream(content)))
  page.node.set(PDFName.of('Resources'), context.obj({ XObject: { Picture: image } }))
  return document.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false })
}
