/** From options to what the worker is asked. Pure: it knows option names and touches no file. */
import type { Length } from '../../catalog/option.ts'
import { options, type Values } from '../../catalog/option.ts'
import * as image from '../../catalog/vocabulary/image.ts'
import * as page from '../../catalog/vocabulary/page.ts'
import { pdf_pages, pdf_password } from '../../catalog/vocabulary/pdf.ts'
import type { CropWish, PageWish, PictureQuestion } from './plan.ts'

/** "Strips profiles, EXIF and comments to reduce size." Colours must not change by it, so a profile that matters stays. */
const strip = {
  ...image.strip,
  hint: 'Removes EXIF, XMP, comments and the usual sRGB profile, places and dates included. The picture is not touched.',
}

const { pdf_page_size, pdf_orientation, pdf_image_alignment, pdf_margin, enlarge_images_to_fit } = page
const onPages = { pdf_page_size, enlarge_images_to_fit, pdf_orientation, pdf_image_alignment, pdf_margin }

export const pictureOptions = options({ strip, ...onPages, 'auto-orient': { ...image.auto_orient, more: true } })

const { merge_bookmarks, merge_pages } = page
export const mergeOptions = options({ merge_bookmarks, merge_pages, ...pictureOptions, pdf_password })

const { aspect_ratio, gravity } = image
/** A page has no pixels: 72 of them make an inch, so that they are what PDF calls points. */
const place = (of: typeof image.x, hint: string) => ({ ...of, hint })
export const cropOptions = options({
  x: place(image.x, 'Where the crop begins, from the left: pixels, 72 to the inch, or percent of the width.'),
  y: place(image.y, 'Where the crop begins, from the top: pixels, 72 to the inch, or percent of the height.'),
  width: place(image.width, 'Width of the crop: pixels, 72 to the inch, or percent. Without it, all that is left.'),
  height: place(image.height, 'Height of the crop: pixels, 72 to the inch, or percent. Without it, all that is left.'),
  aspect_ratio: { ...aspect_ratio, hint: 'The biggest part of the page with these proportions is kept.' },
  gravity,
  pdf_pages: { ...pdf_pages, hint: 'Which pages are cropped: like 1-3,5 or 7- for the rest. Without it, all.' },
  pdf_password: { ...pdf_password, hint: 'Opens a document that is protected by a password; the result stays so.' },
})

/** 16384 pixels square, as for every picture here. */
export const MAX_PIXELS = 2 ** 28

/** Which share of the free room lies left of the picture, and above it. */
const ALIGNED: Readonly<Record<Values<typeof pictureOptions>['pdf_image_alignment'], [number, number]>> = {
  TopLeft: [0, 0],
  Top: [0.5, 0],
  TopRight: [1, 0],
  Left: [0, 0.5],
  Center: [0.5, 0.5],
  Right: [1, 0.5],
  BottomLeft: [0, 1],
  Bottom: [0.5, 1],
  BottomRight: [1, 1],
}

const inPoints = ({ amount, unit }: Length): Length => ({
  amount: unit === 'px' ? amount * page.POINTS_PER_PIXEL : amount,
  unit,
})

function pageWish(wishes: Values<typeof pictureOptions>): PageWish {
  const size = wishes.pdf_page_size ?? 'same-as-image'
  const [width = 0, height = 0] = size.split('x').map((side) => Number(side) * page.POINTS_PER_PIXEL)
  return {
    size: size === 'same-as-image' ? null : { width, height },
    turned: wishes.pdf_orientation,
    align: ALIGNED[wishes.pdf_image_alignment],
    margin: inPoints(wishes.pdf_margin),
    enlarge: wishes.enlarge_images_to_fit,
  }
}

export const pictureQuestion = (format: 'jpg' | 'png', wishes: Values<typeof pictureOptions>): PictureQuestion => ({
  task: 'picture',
  format,
  maxPixels: MAX_PIXELS,
  orient: wishes['auto-orient'],
  strip: wishes.strip,
  page: pageWish(wishes),
})

export function cropWish({ x, y, width, height, aspect_ratio, gravity }: Values<typeof cropOptions>): CropWish {
  const [across, down] = aspect_ratio?.split(':').map(Number) ?? []
  const ratio: [number, number] | undefined = across && down ? [across, down] : undefined
  return { ...(x && { x }), ...(y && { y }), ...(width && { width }), ...(height && { height }), ratio, gravity }
}
