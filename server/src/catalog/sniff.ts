/**
 * What a file is. "The type is decided from content, never from the extension; the name breaks ties." What is not
 * recognised stays unknown: random bytes under a known name are no such file. The detectors are in sniffing/.
 */
import { type Ext, extOf } from './formats.ts'
import type { Detector, Finding } from './sniffing/finding.ts'
import { dolby, monkey, mpegAudio } from './sniffing/frames.ts'
import { byMagic, postScript } from './sniffing/magic.ts'
import { flash, isoMedia, matroska, ogg, riff, transportStream, windowsMedia } from './sniffing/media.ts'
import { ole } from './sniffing/ole.ts'
import { palm } from './sniffing/palm.ts'
import { bitmap, icon, jxlStream, netpbm, pcx, sgi, targa } from './sniffing/raster.ts'
import { isPlain, svgz, text } from './sniffing/text.ts'
import { tiff } from './sniffing/tiff.ts'
import { rar, zip } from './sniffing/zip.ts'

export interface Sniffed {
  format: Ext | null
  /** The content shows it, perhaps with the name to choose among few; otherwise only the name says so. */
  sure: boolean
  /** Why such a file is not taken, in words for the user; then there is no format. */
  refused?: string
  /** It cannot be read without its password. */
  encrypted?: true
}

/** Readers skip rubbish before a PDF, this far. */
const PDF_WITHIN = 1024

const latePdf: Detector = (head) => {
  const at = head.subarray(0, PDF_WITHIN + 5).indexOf('%PDF-')
  return at > 0 ? { among: ['pdf', 'ai'] } : null
}

/** The surer first. Text is last: almost anything short could be text. */
const DETECTORS: readonly Detector[] = [
  isoMedia,
  byMagic,
  tiff,
  postScript,
  riff,
  zip,
  palm,
  ole,
  matroska,
  ogg,
  windowsMedia,
  svgz,
  bitmap,
  icon,
  netpbm,
  sgi,
  flash,
  transportStream,
  dolby,
  monkey,
  mpegAudio,
  rar,
  jxlStream,
  pcx,
  targa,
  text,
  latePdf,
]

const NOTHING = Buffer.alloc(0)

/** The name's word counts only among what the content allows. */
const choose = (finding: Finding, named: Ext | null): Sniffed => {
  const { among, weak, refused, encrypted } = finding
  if (refused !== undefined) return { format: null, sure: true, refused }
  const agreed = named !== null && among.includes(named)
  // Some words called photo.png are a broken photo rather than a text that somebody wants to see as a picture.
  if (isPlain(finding) && named !== null && !agreed) return { format: null, sure: false }
  const format = agreed ? named : weak ? null : (among[0] ?? null)
  const sure = format !== null && !weak && !isPlain(finding)
  return { format, sure, ...(encrypted && { encrypted }) }
}

/**
 * @param head the first bytes, 64 KB or the whole file
 * @param name what the file is called
 * @param tail the last bytes, where at hand: they settle some ZIP, MP4 and Targa files
 */
export const sniff = (head: Buffer, name = '', tail: Buffer = NOTHING): Sniffed => {
  const named = name.includes('.') ? extOf(name) : null
  let weak: Sniffed | null = null
  for (const detect of DETECTORS) {
    const finding = detect(head, tail)
    if (finding === null) continue
    // Text that only mentions a PDF is text, unless it is called one.
    if (detect === text && isPlain(finding) && named === 'pdf' && latePdf(head, tail))
      return { format: 'pdf', sure: true }
    const chosen = choose(finding, named)
    if (chosen.format !== null || chosen.refused !== undefined) return chosen
    weak ??= chosen
  }
  return weak ?? { format: null, sure: false }
}
