/** Pictures whose first bytes are too short to trust alone: their headers must make sense as well. */
import { ascii, type Detector, type Finding, found } from './finding.ts'

const DIB_SIZES = new Set([12, 16, 40, 52, 56, 64, 108, 124])

export const bitmap: Detector = (head) =>
  head.length >= 26 && ascii(head, 0, 2) === 'BM' && DIB_SIZES.has(head.readUInt32LE(14)) ? found('bmp') : null

/** A directory of icons: a count, then for each a reserved zero byte and the place of its picture. */
export const icon: Detector = (head) => {
  if (head.length < 22 || head.readUInt16LE(0) !== 0) return null
  const [kind, count] = [head.readUInt16LE(2), head.readUInt16LE(4)]
  const sane = count > 0 && count < 1000 && head[9] === 0 && head.readUInt32LE(18) >= 6 + 16 * count
  if (!sane) return null
  if (kind === 1) return found('ico')
  return kind === 2 ? found('cur') : null
}

const NETPBM = { '1': 'pbm', '4': 'pbm', '2': 'pgm', '5': 'pgm', '3': 'ppm', '6': 'ppm' } as const

export const netpbm: Detector = (head) => {
  const [, kind] = /^P([1-6])(?:\s+#[^\n]*)*\s+\d+(?:\s+#[^\n]*)*\s+\d+\s/.exec(ascii(head, 0, 512)) ?? []
  return kind === undefined ? null : found(NETPBM[kind as keyof typeof NETPBM], 'pnm')
}

export const sgi: Detector = (head) =>
  head.length >= 12 && head.readUInt16BE(0) === 0x01da && (head[2] ?? 9) <= 1 && [1, 2].includes(head[3] ?? 0)
    ? found('sgi')
    : null

const weak = (finding: Finding): Finding => ({ ...finding, weak: true })

/** A bare codestream: two bytes are all it has for a sign. */
export const jxlStream: Detector = (head) => (head[0] === 0xff && head[1] === 0x0a ? weak(found('jxl')) : null)

export const pcx: Detector = (head) => {
  const [magic, version = 9, encoding, depth = 0] = head
  const sane = head.length >= 128 && magic === 0x0a && version <= 5 && encoding === 1 && [1, 2, 4, 8].includes(depth)
  return sane ? weak(found('pcx')) : null
}

const FOOTER = 'TRUEVISION-XFILE.\0'

/** Targa has no first bytes of its own: its footer tells, or else a header that makes sense under its name. */
export const targa: Detector = (head, tail) => {
  if ([head, tail].some((bytes) => ascii(bytes.subarray(-FOOTER.length)) === FOOTER)) return found('tga')
  if (head.length < 18) return null
  const [, mapped = 9, kind = 0] = head
  const sane = mapped <= 1 && [1, 2, 3, 9, 10, 11].includes(kind) && [8, 15, 16, 24, 32].includes(head[16] ?? 0)
  return sane && head.readUInt16LE(12) > 0 && head.readUInt16LE(14) > 0 ? weak(found('tga')) : null
}
