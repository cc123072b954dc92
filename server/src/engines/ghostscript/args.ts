/** Ghostscript's arguments. Pure. What a user chose reaches it as numbers and words of ours only, never as text. */

/** "Ghostscript under SAFER reads and writes everything below its folder for temporary files": one of its own, the hop's. */
export const GS_ENV = { TMPDIR: '.' } as const

export const SRGB = '/usr/share/color/icc/ghostscript/srgb.icc'
const GRAY = '/usr/share/color/icc/ghostscript/sgray.icc'

const always = ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-dNOPROMPT'] as const
const writing = (to: string): string[] => [...always, '-sDEVICE=pdfwrite', `-sOutputFile=${to}`]
const colourless = ['-sColorConversionStrategy=Gray', '-dProcessColorModel=/DeviceGray'] as const

export type Profile = 'screen' | 'ebook' | 'printer' | 'prepress'

export interface Packing {
  profile: Profile
  /** Of pictures; undefined is as the profile says. */
  dpi?: number
  /** Of pictures, 1 to 100. */
  quality?: number
  gray?: boolean
}

/** JPEG's tables are multiplied by this: as libjpeg counts qualities. */
export const factor = (quality: number): number =>
  Math.max(0.01, Math.round(quality < 50 ? 5000 / quality : 200 - 2 * quality) / 100)

function pictures(dpi: number): string[] {
  const kinds: [string, number][] = [
    ['Color', dpi],
    ['Gray', dpi],
    // Black and white shows its dots sooner.
    ['Mono', Math.min(1200, dpi * 2)],
  ]
  return kinds.flatMap(([kind, at]) => [
    `-dDownsample${kind}Images=true`,
    `-d${kind}ImageDownsampleThreshold=1.1`,
    `-d${kind}ImageResolution=${at}`,
  ])
}

/** Only PostScript can say how strongly JPEG packs. */
function packed(quality: number): string[] {
  const samples = quality >= 90 ? '[1 1 1 1]' : '[2 1 1 2]'
  const dict = `<< /QFactor ${factor(quality)} /Blend 1 /HSamples ${samples} /VSamples ${samples} >>`
  const all = ['Color', 'Gray'].map((kind) => `/${kind}ACSImageDict ${dict} /${kind}ImageDict ${dict}`).join(' ')
  return ['-c', `<< ${all} >> setdistillerparams`, '-f']
}

export const compressArgs = ({ profile, dpi, quality, gray }: Packing, from: string, to: string): string[] => [
  ...writing(to),
  `-dPDFSETTINGS=/${profile}`,
  // Pictures that are JPEG already are packed anew where they are to become smaller; the better profiles leave them.
  ...(quality === undefined ? [] : ['-dPassThroughJPEGImages=false']),
  '-dDetectDuplicateImages=true',
  ...(dpi === undefined ? [] : pictures(dpi)),
  // The profiles but the first keep or change the colour space; none of that makes a file smaller.
  ...(gray ? colourless : ['-sColorConversionStrategy=LeaveColorUnchanged']),
  ...(quality === undefined ? [] : packed(quality)),
  from,
]

export type Archive = '1b' | '2b' | '3b'

export interface Rewriting {
  archive: Archive | null
  /** Without links, forms and other things that act. */
  inert: boolean
  gray: boolean
  /** Of PDF, like 1.4; what is newer in it is written otherwise. */
  version?: string | null
}

/** The colours of the whole document, as PDF/A wants them described. */
function intent(profile: string, channels: number): string {
  return [
    '[/_objdef {profile} /type /stream /OBJ pdfmark',
    `[{profile} << /N ${channels} >> /PUT pdfmark`,
    `[{profile} (${profile}) (r) file /PUT pdfmark`,
    '[/_objdef {intent} /type /dict /OBJ pdfmark',
    '[{intent} << /Type /OutputIntent /S /GTS_PDFA1 /DestOutputProfile {profile}',
    `/OutputConditionIdentifier (${channels === 1 ? 'sGray' : 'sRGB'}) >> /PUT pdfmark`,
    '[{Catalog} << /OutputIntents [ {intent} ] >> /PUT pdfmark',
  ].join(' ')
}

function archived(archive: Archive, gray: boolean): string[] {
  const profile = gray ? GRAY : SRGB
  return [
    `-dPDFA=${archive.charAt(0)}`,
    // What PDF/A does not allow is left out, rather than PDF/A given up.
    '-dPDFACompatibilityPolicy=1',
    ...(gray ? [] : ['-sColorConversionStrategy=RGB', '-dProcessColorModel=/DeviceRGB']),
    `--permit-file-read=${profile}`,
    ...['-c', intent(profile, gray ? 1 : 3), '-f'],
  ]
}

/** Pictures stay as they are: nothing here is to be lost but what was asked for. */
const faithful = [
  ...['-dDownsampleColorImages=false', '-dDownsampleGrayImages=false', '-dDownsampleMonoImages=false'],
  ...['-dAutoFilterColorImages=false', '-dAutoFilterGrayImages=false'],
  ...['-dColorImageFilter=/FlateEncode', '-dGrayImageFilter=/FlateEncode'],
] as const

export const rewriteArgs = (wish: Rewriting, from: string, to: string): string[] => {
  const { archive, inert, gray, version } = wish
  return [
    ...writing(to),
    ...faithful,
    ...(version ? [`-dCompatibilityLevel=${version}`] : []),
    ...(inert ? ['-dPreserveAnnots=false'] : []),
    ...(gray ? colourless : []),
    ...(archive === null ? [] : archived(archive, gray)),
    from,
  ]
}

/** An encapsulated picture becomes a page of its own size. */
export const distillArgs = (encapsulated: boolean, from: string, to: string): string[] => [
  ...writing(to),
  ...faithful,
  '-dEmbedAllFonts=true',
  ...(encapsulated ? ['-dEPSCrop'] : []),
  from,
]

export type TiffKind = 'color' | 'gray' | 'bw'
const TIFF: Record<TiffKind, string> = { color: 'tiff24nc', gray: 'tiffgray', bw: 'tiffscaled' }

export interface TiffWish {
  kind: TiffKind
  dpi: number
  compression: 'none' | 'lzw' | 'packbits' | 'g4'
}

export const tiffArgs = ({ kind, dpi, compression }: TiffWish, from: string, to: string): string[] => [
  ...always,
  `-sDEVICE=${TIFF[kind]}`,
  `-sOutputFile=${to}`,
  `-sCompression=${compression === 'packbits' ? 'pack' : compression}`,
  // Black and white is drawn finely, then reduced; the others are smoothed.
  ...(kind === 'bw'
    ? [`-r${dpi * 2}`, '-dDownScaleFactor=2']
    : [`-r${dpi}`, '-dTextAlphaBits=4', '-dGraphicsAlphaBits=4']),
  '-dUseCropBox',
  from,
]
