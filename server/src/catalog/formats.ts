/**
 * Every format this house has a name for, one line each. A format is offered only where an engine declares it: a line here
 * promises nothing. `hub` formats may stand in the middle of a route; a `photo` is what cameras write, and goes into
 * documents as a JPEG; `aliases` are accepted wherever a format is named.
 */

export type Family =
  | 'image'
  | 'video'
  | 'audio'
  | 'document'
  | 'spreadsheet'
  | 'presentation'
  | 'ebook'
  | 'subtitle'
  | 'data'
  | 'archive'

export interface Format {
  family: Family
  title: string
  mime: string
  hub?: true
  photo?: true
  aliases?: readonly string[]
}

const OOXML = 'application/vnd.openxmlformats-officedocument'
const ODF = 'application/vnd.oasis.opendocument'

export const FORMATS = {
  // Images
  jpg: { family: 'image', title: 'JPEG', mime: 'image/jpeg', aliases: ['jpeg', 'jpe', 'jfif', 'jif', 'pjpeg', 'pjp'] },
  png: { family: 'image', title: 'PNG', mime: 'image/png', hub: true },
  webp: { family: 'image', title: 'WebP', mime: 'image/webp' },
  avif: { family: 'image', title: 'AVIF', mime: 'image/avif', aliases: ['avifs'] },
  gif: { family: 'image', title: 'GIF', mime: 'image/gif' },
  tiff: { family: 'image', title: 'TIFF', mime: 'image/tiff', aliases: ['tif', 'btf'] },
  svg: { family: 'image', title: 'SVG', mime: 'image/svg+xml' },
  svgz: { family: 'image', title: 'Compressed SVG', mime: 'image/svg+xml' },
  bmp: { family: 'image', title: 'Windows bitmap', mime: 'image/bmp', aliases: ['dib'] },
  ico: { family: 'image', title: 'Windows icon', mime: 'image/x-icon' },
  cur: { family: 'image', title: 'Windows cursor', mime: 'image/x-win-bitmap' },
  heic: { family: 'image', title: 'HEIC', mime: 'image/heic', photo: true, aliases: ['heif', 'hif', 'heics', 'heifs'] },
  jxl: { family: 'image', title: 'JPEG XL', mime: 'image/jxl' },
  jp2: { family: 'image', title: 'JPEG 2000', mime: 'image/jp2', aliases: ['jpx', 'jpf', 'jpm'] },
  j2k: { family: 'image', title: 'JPEG 2000 codestream', mime: 'image/x-jp2-codestream', aliases: ['j2c', 'jpc'] },
  psd: { family: 'image', title: 'Photoshop', mime: 'image/vnd.adobe.photoshop', aliases: ['psb'] },
  xcf: { family: 'image', title: 'GIMP', mime: 'image/x-xcf' },
  tga: { family: 'image', title: 'Targa', mime: 'image/x-tga', aliases: ['icb', 'vda', 'vst'] },
  pcx: { family: 'image', title: 'PC Paintbrush', mime: 'image/x-pcx' },
  ppm: { family: 'image', title: 'Portable pixmap', mime: 'image/x-portable-pixmap' },
  pgm: { family: 'image', title: 'Portable graymap', mime: 'image/x-portable-graymap' },
  pbm: { family: 'image', title: 'Portable bitmap', mime: 'image/x-portable-bitmap' },
  pnm: { family: 'image', title: 'Portable anymap', mime: 'image/x-portable-anymap' },
  dds: { family: 'image', title: 'DirectDraw surface', mime: 'image/vnd-ms.dds' },
  hdr: { family: 'image', title: 'Radiance HDR', mime: 'image/vnd.radiance', aliases: ['rgbe'] },
  exr: { family: 'image', title: 'OpenEXR', mime: 'image/x-exr' },
  eps: { family: 'image', title: 'Encapsulated PostScript', mime: 'application/postscript', aliases: ['epsf', 'epsi'] },
  ai: { family: 'image', title: 'Adobe Illustrator', mime: 'application/illustrator' },
  emf: { family: 'image', title: 'Enhanced metafile', mime: 'image/emf' },
  wmf: { family: 'image', title: 'Windows metafile', mime: 'image/wmf' },
  cdr: { family: 'image', title: 'CorelDRAW', mime: 'application/vnd.corel-draw' },
  dcm: { family: 'image', title: 'DICOM', mime: 'application/dicom', aliases: ['dicom'] },
  fits: { family: 'image', title: 'FITS', mime: 'image/fits', aliases: ['fit', 'fts'] },
  xbm: { family: 'image', title: 'X bitmap', mime: 'image/x-xbitmap' },
  xpm: { family: 'image', title: 'X pixmap', mime: 'image/x-xpixmap' },
  sgi: { family: 'image', title: 'Silicon Graphics image', mime: 'image/sgi', aliases: ['bw'] },
  qoi: { family: 'image', title: 'Quite OK image', mime: 'image/qoi' },
  icns: { family: 'image', title: 'Apple icon', mime: 'image/icns' },
  djvu: { family: 'document', title: 'DjVu', mime: 'image/vnd.djvu', aliases: ['djv'] },
  dng: { family: 'image', title: 'Digital negative', mime: 'image/x-adobe-dng', photo: true },
  cr2: { family: 'image', title: 'Canon raw 2', mime: 'image/x-canon-cr2', photo: true },
  cr3: { family: 'image', title: 'Canon raw 3', mime: 'image/x-canon-cr3', photo: true },
  nef: { family: 'image', title: 'Nikon raw', mime: 'image/x-nikon-nef', photo: true },
  nrw: { family: 'image', title: 'Nikon Coolpix raw', mime: 'image/x-nikon-nrw', photo: true },
  arw: { family: 'image', title: 'Sony raw', mime: 'image/x-sony-arw', photo: true },
  orf: { family: 'image', title: 'Olympus raw', mime: 'image/x-olympus-orf', photo: true },
  rw2: { family: 'image', title: 'Panasonic raw', mime: 'image/x-panasonic-rw2', photo: true },
  raf: { family: 'image', title: 'Fujifilm raw', mime: 'image/x-fuji-raf', photo: true },
  pef: { family: 'image', title: 'Pentax raw', mime: 'image/x-pentax-pef', photo: true },
  srw: { family: 'image', title: 'Samsung raw', mime: 'image/x-samsung-srw', photo: true },
  erf: { family: 'image', title: 'Epson raw', mime: 'image/x-epson-erf', photo: true },

  // Video
  mp4: { family: 'video', title: 'MP4', mime: 'video/mp4' },
  m4v: { family: 'video', title: 'M4V', mime: 'video/x-m4v' },
  mov: { family: 'video', title: 'QuickTime', mime: 'video/quicktime', aliases: ['qt'] },
  mkv: { family: 'video', title: 'Matroska', mime: 'video/x-matroska' },
  webm: { family: 'video', title: 'WebM', mime: 'video/webm' },
  avi: { family: 'video', title: 'AVI', mime: 'video/x-msvideo' },
  wmv: { family: 'video', title: 'Windows Media video', mime: 'video/x-ms-wmv' },
  asf: { family: 'video', title: 'Advanced systems format', mime: 'video/x-ms-asf' },
  flv: { family: 'video', title: 'Flash video', mime: 'video/x-flv' },
  f4v: { family: 'video', title: 'F4V', mime: 'video/x-f4v' },
  mpg: { family: 'video', title: 'MPEG', mime: 'video/mpeg', aliases: ['mpeg', 'mpe', 'm1v'] },
  m2v: { family: 'video', title: 'MPEG-2 video', mime: 'video/mpeg' },
  ts: { family: 'video', title: 'MPEG transport stream', mime: 'video/mp2t' },
  mts: { family: 'video', title: 'AVCHD', mime: 'video/mp2t' },
  m2ts: { family: 'video', title: 'Blu-ray transport stream', mime: 'video/mp2t' },
  vob: { family: 'video', title: 'DVD video', mime: 'video/mpeg' },
  '3gp': { family: 'video', title: '3GP', mime: 'video/3gpp', aliases: ['3gpp'] },
  '3g2': { family: 'video', title: '3G2', mime: 'video/3gpp2' },
  ogv: { family: 'video', title: 'Ogg video', mime: 'video/ogg' },
  mxf: { family: 'video', title: 'MXF', mime: 'application/mxf' },
  rm: { family: 'video', title: 'RealMedia', mime: 'application/vnd.rn-realmedia', aliases: ['rmvb'] },
  divx: { family: 'video', title: 'DivX', mime: 'video/x-msvideo' },
  dv: { family: 'video', title: 'DV', mime: 'video/x-dv' },
  swf: { family: 'video', title: 'Flash', mime: 'application/x-shockwave-flash' },

  // Audio
  mp3: { family: 'audio', title: 'MP3', mime: 'audio/mpeg' },
  wav: { family: 'audio', title: 'WAV', mime: 'audio/wav', hub: true, aliases: ['wave'] },
  flac: { family: 'audio', title: 'FLAC', mime: 'audio/flac' },
  ogg: { family: 'audio', title: 'Ogg Vorbis', mime: 'audio/ogg' },
  oga: { family: 'audio', title: 'Ogg audio', mime: 'audio/ogg' },
  opus: { family: 'audio', title: 'Opus', mime: 'audio/ogg' },
  m4a: { family: 'audio', title: 'M4A', mime: 'audio/mp4' },
  m4b: { family: 'audio', title: 'M4B audiobook', mime: 'audio/mp4' },
  m4r: { family: 'audio', title: 'M4R ringtone', mime: 'audio/mp4' },
  aac: { family: 'audio', title: 'AAC', mime: 'audio/aac' },
  wma: { family: 'audio', title: 'Windows Media audio', mime: 'audio/x-ms-wma' },
  aiff: { family: 'audio', title: 'AIFF', mime: 'audio/aiff', aliases: ['aif', 'aifc'] },
  amr: { family: 'audio', title: 'AMR', mime: 'audio/amr' },
  ac3: { family: 'audio', title: 'Dolby Digital', mime: 'audio/ac3' },
  dts: { family: 'audio', title: 'DTS', mime: 'audio/vnd.dts' },
  ape: { family: 'audio', title: "Monkey's Audio", mime: 'audio/x-ape' },
  wv: { family: 'audio', title: 'WavPack', mime: 'audio/x-wavpack' },
  mka: { family: 'audio', title: 'Matroska audio', mime: 'audio/x-matroska' },
  au: { family: 'audio', title: 'Sun audio', mime: 'audio/basic', aliases: ['snd'] },
  caf: { family: 'audio', title: 'Core Audio', mime: 'audio/x-caf' },
  mp2: { family: 'audio', title: 'MP2', mime: 'audio/mpeg', aliases: ['mpa'] },
  ra: { family: 'audio', title: 'RealAudio', mime: 'audio/vnd.rn-realaudio' },
  tta: { family: 'audio', title: 'True Audio', mime: 'audio/x-tta' },
  spx: { family: 'audio', title: 'Speex', mime: 'audio/ogg' },
  mid: { family: 'audio', title: 'MIDI', mime: 'audio/midi', aliases: ['midi', 'kar'] },

  // Documents
  pdf: { family: 'document', title: 'PDF', mime: 'application/pdf', hub: true },
  ps: { family: 'document', title: 'PostScript', mime: 'application/postscript' },
  xps: { family: 'document', title: 'XPS', mime: 'application/oxps', aliases: ['oxps'] },
  docx: { family: 'document', title: 'Word', mime: `${OOXML}.wordprocessingml.document`, hub: true },
  doc: { family: 'document', title: 'Word 97–2003', mime: 'application/msword' },
  dotx: { family: 'document', title: 'Word template', mime: `${OOXML}.wordprocessingml.template` },
  dot: { family: 'document', title: 'Word 97–2003 template', mime: 'application/msword' },
  docm: { family: 'document', title: 'Word with macros', mime: 'application/vnd.ms-word.document.macroEnabled.12' },
  rtf: { family: 'document', title: 'Rich text', mime: 'application/rtf' },
  odt: { family: 'document', title: 'OpenDocument text', mime: `${ODF}.text` },
  ott: { family: 'document', title: 'OpenDocument text template', mime: `${ODF}.text-template` },
  fodt: { family: 'document', title: 'Flat OpenDocument text', mime: `${ODF}.text-flat-xml` },
  txt: { family: 'document', title: 'Plain text', mime: 'text/plain', aliases: ['text', 'log'] },
  html: { family: 'document', title: 'HTML', mime: 'text/html', hub: true, aliases: ['htm'] },
  xhtml: { family: 'document', title: 'XHTML', mime: 'application/xhtml+xml', aliases: ['xht'] },
  mhtml: { family: 'document', title: 'Web page archive', mime: 'multipart/related', aliases: ['mht'] },
  md: { family: 'document', title: 'Markdown', mime: 'text/markdown', aliases: ['markdown', 'mkd', 'mdown'] },
  rst: { family: 'document', title: 'reStructuredText', mime: 'text/x-rst', aliases: ['rest'] },
  org: { family: 'document', title: 'Org mode', mime: 'text/x-org' },
  tex: { family: 'document', title: 'LaTeX', mime: 'application/x-tex', aliases: ['latex', 'ltx'] },
  ipynb: { family: 'document', title: 'Jupyter notebook', mime: 'application/x-ipynb+json' },
  wpd: { family: 'document', title: 'WordPerfect', mime: 'application/vnd.wordperfect', aliases: ['wp', 'wp5'] },
  wps: { family: 'document', title: 'Microsoft Works', mime: 'application/vnd.ms-works' },
  pages: { family: 'document', title: 'Apple Pages', mime: 'application/vnd.apple.pages' },
  odg: { family: 'document', title: 'OpenDocument drawing', mime: `${ODF}.graphics` },
  vsd: { family: 'document', title: 'Visio 97–2003', mime: 'application/vnd.visio' },
  vsdx: { family: 'document', title: 'Visio', mime: 'application/vnd.ms-visio.drawing' },
  pub: { family: 'document', title: 'Microsoft Publisher', mime: 'application/x-mspublisher' },
  eml: { family: 'document', title: 'E-mail', mime: 'message/rfc822' },

  // Spreadsheets
  xlsx: { family: 'spreadsheet', title: 'Excel', mime: `${OOXML}.spreadsheetml.sheet`, hub: true },
  xls: { family: 'spreadsheet', title: 'Excel 97–2003', mime: 'application/vnd.ms-excel' },
  xlsm: { family: 'spreadsheet', title: 'Excel with macros', mime: 'application/vnd.ms-excel.sheet.macroEnabled.12' },
  xlsb: { family: 'spreadsheet', title: 'Excel binary', mime: 'application/vnd.ms-excel.sheet.binary.macroEnabled.12' },
  ods: { family: 'spreadsheet', title: 'OpenDocument spreadsheet', mime: `${ODF}.spreadsheet` },
  ots: { family: 'spreadsheet', title: 'OpenDocument spreadsheet template', mime: `${ODF}.spreadsheet-template` },
  fods: { family: 'spreadsheet', title: 'Flat OpenDocument spreadsheet', mime: `${ODF}.spreadsheet-flat-xml` },
  csv: { family: 'spreadsheet', title: 'CSV', mime: 'text/csv' },
  tsv: { family: 'spreadsheet', title: 'TSV', mime: 'text/tab-separated-values', aliases: ['tab'] },
  numbers: { family: 'spreadsheet', title: 'Apple Numbers', mime: 'application/vnd.apple.numbers' },

  // Presentations
  pptx: { family: 'presentation', title: 'PowerPoint', mime: `${OOXML}.presentationml.presentation` },
  ppt: { family: 'presentation', title: 'PowerPoint 97–2003', mime: 'application/vnd.ms-powerpoint' },
  pps: { family: 'presentation', title: 'PowerPoint 97–2003 show', mime: 'application/vnd.ms-powerpoint' },
  ppsx: { family: 'presentation', title: 'PowerPoint show', mime: `${OOXML}.presentationml.slideshow` },
  pptm: {
    family: 'presentation',
    title: 'PowerPoint with macros',
    mime: 'application/vnd.ms-powerpoint.presentation.macroEnabled.12',
  },
  odp: { family: 'presentation', title: 'OpenDocument presentation', mime: `${ODF}.presentation` },
  otp: { family: 'presentation', title: 'OpenDocument presentation template', mime: `${ODF}.presentation-template` },
  fodp: { family: 'presentation', title: 'Flat OpenDocument presentation', mime: `${ODF}.presentation-flat-xml` },
  key: { family: 'presentation', title: 'Apple Keynote', mime: 'application/vnd.apple.keynote' },

  // E-books
  epub: { family: 'ebook', title: 'EPUB', mime: 'application/epub+zip', hub: true },
  mobi: { family: 'ebook', title: 'Mobipocket', mime: 'application/x-mobipocket-ebook' },
  azw: { family: 'ebook', title: 'Kindle', mime: 'application/vnd.amazon.ebook' },
  azw3: { family: 'ebook', title: 'Kindle KF8', mime: 'application/vnd.amazon.mobi8-ebook' },
  fb2: { family: 'ebook', title: 'FictionBook', mime: 'application/x-fictionbook+xml' },
  lit: { family: 'ebook', title: 'Microsoft Reader', mime: 'application/x-ms-reader' },
  lrf: { family: 'ebook', title: 'Sony BBeB', mime: 'application/x-sony-bbeb' },
  pdb: { family: 'ebook', title: 'Palm', mime: 'application/vnd.palm' },
  prc: { family: 'ebook', title: 'Palm resource', mime: 'application/x-mobipocket-ebook' },
  cbz: { family: 'ebook', title: 'Comic book (ZIP)', mime: 'application/vnd.comicbook+zip', hub: true },
  cbr: { family: 'ebook', title: 'Comic book (RAR)', mime: 'application/vnd.comicbook-rar' },

  // Subtitles, data, archives
  srt: { family: 'subtitle', title: 'SubRip', mime: 'application/x-subrip' },
  vtt: { family: 'subtitle', title: 'WebVTT', mime: 'text/vtt' },
  ass: { family: 'subtitle', title: 'SubStation Alpha', mime: 'text/x-ssa', aliases: ['ssa'] },
  json: { family: 'data', title: 'JSON', mime: 'application/json' },
  xml: { family: 'data', title: 'XML', mime: 'application/xml' },
  yaml: { family: 'data', title: 'YAML', mime: 'application/yaml', aliases: ['yml'] },
  zip: { family: 'archive', title: 'ZIP', mime: 'application/zip' },
} as const satisfies Record<string, Format>

export type Ext = keyof typeof FORMATS

const isExt = (name: string): name is Ext => Object.hasOwn(FORMATS, name)

/** All names in the order of the table. */
export const EXTS: readonly Ext[] = Object.keys(FORMATS).filter(isExt)

export const formatOf = (ext: Ext): Format => FORMATS[ext]

export const familyOf = (ext: Ext): Family => FORMATS[ext].family

export const isHub = (ext: Ext): boolean => formatOf(ext).hub === true

export const isPhoto = (ext: Ext): boolean => formatOf(ext).photo === true

const BY_NAME = new Map<string, Ext>(
  EXTS.flatMap((ext): [string, Ext][] => [
    [ext, ext],
    ...(formatOf(ext).aliases ?? []).map((a): [string, Ext] => [a, ext]),
  ]),
)

/** The format an extension, an alias or a file name stands for: `JPEG`, `.jpeg` and `photo.jpeg` are all `jpg`. */
export const extOf = (given: string): Ext | null =>
  BY_NAME.get(
    given
      .slice(given.lastIndexOf('.') + 1)
      .trim()
      .toLowerCase(),
  ) ?? null
