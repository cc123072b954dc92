/**
 * What ImageMagick is told, as arguments. Pure. Every name has its format before it, so that no content and no name is ever
 * taken for another coder; what a format needs beyond the plain call is beside it, with the reason.
 */

/** Read, one picture each. */
export const SINGLE = [
  ...(['bmp', 'psd', 'tga', 'pcx', 'ppm', 'pgm', 'pbm', 'pnm', 'dds', 'hdr', 'fits'] as const),
  ...(['xbm', 'xpm', 'sgi', 'jp2', 'j2k', 'xcf'] as const),
] as const
/** Read, with several pictures of which one is taken. */
export const SEVERAL = ['ico', 'cur'] as const
/** Read where sharp gives up: tiles of single colours, old ways to pack, colours as the eye sees them. */
export const RESCUED = ['tiff'] as const
export type Readable = (typeof SINGLE)[number] | (typeof SEVERAL)[number] | (typeof RESCUED)[number]

/** Written with transparency, and without. */
export const CLEAR = ['bmp', 'psd', 'tga', 'sgi', 'xpm'] as const
export const OPAQUE = ['ppm', 'pgm', 'pbm', 'pcx', 'xbm', 'hdr', 'eps'] as const

const LIMITED = ['-limit', 'thread', '2'] as const
const QUIET = ['-quiet', ...LIMITED] as const

/** They have as many bits a channel as it takes, or more than eight; all others have eight, or fewer. */
const DEEP = ['tiff', 'psd', 'ppm', 'pgm', 'pnm', 'hdr', 'fits', 'sgi', 'jp2', 'j2k'] as const
export const mayBeDeep = (from: Readable): boolean => DEEP.some((each) => each === from)

/**
 * For sharp to go on with: packing it would take longer than all the rest. `bits`: ImageMagick keeps as many as the picture
 * has, and sharp reads only eight or sixteen.
 */
const plain = (bits: number | null): string[] => [
  ...['-colorspace', 'sRGB', '-compress', 'None', ...(bits ? ['-depth', String(bits)] : []), 'tiff:step.tiff'],
]

/** The picture as it is, or with `bits` a channel. */
export const readArgs = (from: Readable, input: string, index = 0, bits: number | null = null): string[] => [
  // Of a TIFF it takes what is there, and only warns of what is not.
  ...(from === 'tiff' ? LIMITED : QUIET),
  // The first picture of a Photoshop file is all of its layers together.
  `${from}:${input}[${index}]`,
  // Which row comes first is but noted down.
  ...(from === 'tga' || from === 'tiff' ? ['-auto-orient'] : []),
  ...plain(mayBeDeep(from) ? bits : 8),
]

/** Whether something was missing, by what it said. */
export const saysDamaged = (words: string): boolean => /corrupt|premature|read error|not enough data/i.test(words)

/** All layers that are switched on, on a canvas as big as the drawing's. */
export const layersArgs = (from: Readable, input: string, { width, height }: { width: number; height: number }) => [
  ...[...QUIET, '-size', `${width}x${height}`, 'xc:none', `${from}:${input}`, '-background', 'none', '-flatten'],
  ...plain(8),
]

/** One line a picture: `0 16 16`, its number and its sides. */
export const listArgs = (from: Readable, input: string): string[] => [
  ...[...QUIET, '-ping', `${from}:${input}`, '-format', '%p %w %h\\n', 'info:-'],
]

export interface Listed {
  index: number
  pixels: number
}

export const readList = (words: string): Listed[] =>
  words.split('\n').flatMap((line) => {
    const found = /^(\d{1,5}) (\d{1,6}) (\d{1,6})$/.exec(line)
    return found ? [{ index: Number(found[1]), pixels: Number(found[2]) * Number(found[3]) }] : []
  })

export interface WriteWishes {
  ico_sizes?: string
  dds_compression?: string
  gif_colors?: string
  gif_dither?: number
  quality?: number
  strip?: boolean
  /** Of the picture as it comes. */
  width: number
  height: number
}

/** ImageMagick takes more levels than a small picture has, and its colours are wrong then. */
const resolutions = ({ width, height }: WriteWishes): number =>
  Math.max(1, Math.min(6, Math.floor(Math.log2(Math.min(width, height))) - 2))

/** A quality is a likeness in decibels: 50 is 40 dB, where a difference begins to show. 100 loses nothing. */
const jpeg2000 = (wishes: WriteWishes): string[] => {
  const { quality = 100 } = wishes
  const likeness = quality === 100 ? [] : ['-define', `jp2:quality=${25 + quality * 0.3}`]
  return [...likeness, '-define', `jp2:number-resolutions=${resolutions(wishes)}`]
}

const icon = ({ ico_sizes = '256' }: WriteWishes): string[] => ['-define', `icon:auto-resize=${ico_sizes}`]

const FLAGS: Readonly<Record<string, (wishes: WriteWishes) => string[]>> = {
  // As Photoshop does. Left to itself it packs as the PNG was, which takes five times as long, and few can read it.
  psd: () => ['-compress', 'RLE'],
  // It writes from the top, and says so only when told.
  tga: () => ['-define', 'tga:image-origin=TopLeft'],
  ico: icon,
  cur: icon,
  dds: ({ dds_compression = 'dxt5' }) => ['-define', `dds:compression=${dds_compression}`, '-define', 'dds:mipmaps=0'],
  gif: ({ gif_colors = '256', gif_dither = 100 }) => [
    ...(gif_dither > 0
      ? ['-dither', 'FloydSteinberg', '-define', `dither:diffusion-amount=${gif_dither}%`]
      : ['+dither']),
    ...['-colors', gif_colors],
  ],
  pgm: () => ['-colorspace', 'Gray'],
  pbm: () => ['-monochrome'],
  xbm: () => ['-monochrome'],
  jp2: jpeg2000,
  j2k: jpeg2000,
  // A point a pixel, whatever the picture says of printing.
  eps: () => ['-units', 'PixelsPerInch', '-density', '72', '-compress', 'Zip'],
  // The 16 bits of ImageMagick itself are half the colours of eight.
  xpm: () => ['-depth', '8'],
}

/** PostScript of today's level, which packs; and a cursor is an icon first, for only that may have several pictures. */
const CODER: Readonly<Record<string, string>> = { eps: 'eps3', cur: 'ico' }
const coder = (to: string): string => CODER[to] ?? to

export const writeArgs = (input: string, to: string, wishes: WriteWishes): string[] => [
  ...[
    ...QUIET,
    `png:${input}`,
    ...(FLAGS[to]?.(wishes) ?? []),
    ...(wishes.strip === false ? [] : ['-strip']),
    `${coder(to)}:out.${to}`,
  ],
]
