/**
 * Formats that give themselves away by fixed bytes at a fixed place, one line each; the first that fits is taken. Letters
 * alone do not do: "MMORPG" or "icns" may begin a text, so what follows them is part of the line.
 */
import type { Ext } from '../formats.ts'
import { ascii, type Detector, found } from './finding.ts'

const MAGIC: readonly (readonly [at: number, bytes: string, ...among: Ext[]])[] = [
  [0, '\xff\xd8\xff', 'jpg'],
  [0, '\x89PNG\r\n\x1a\n', 'png'],
  [0, 'GIF87a', 'gif'],
  [0, 'GIF89a', 'gif'],
  [0, '\0\0\0\x0cjP  \r\n\x87\n', 'jp2'],
  [0, '\xff\x4f\xff\x51', 'j2k'],
  [0, '\0\0\0\x0cJXL \r\n\x87\n', 'jxl'],
  [0, '8BPS\0', 'psd'],
  [0, 'gimp xcf', 'xcf'],
  [0, 'II*\0\x10\0\0\0CR\x02', 'cr2'],
  [0, 'IIRO\x08\0', 'orf'],
  [0, 'IIRS\x08\0', 'orf'],
  [0, 'MMOR\0\0', 'orf'],
  [0, 'IIU\0', 'rw2'],
  [0, 'FUJIFILMCCD-RAW', 'raf'],
  [0, 'II+\0\x08\0', 'tiff', 'dng'],
  [0, 'MM\0+\0\x08', 'tiff', 'dng'],
  [0, 'DDS \x7c\0\0\0', 'dds'],
  [0, '#?RADIANCE', 'hdr'],
  [0, '#?RGBE', 'hdr'],
  [0, '\x76\x2f\x31\x01', 'exr'],
  [40, ' EMF', 'emf'],
  [0, '\xd7\xcd\xc6\x9a\0\0', 'wmf'],
  [0, '\x01\0\x09\0\0\x03', 'wmf'],
  [128, 'DICM', 'dcm'],
  [0, 'SIMPLE  =', 'fits'],
  [0, '/* XPM */', 'xpm'],
  [0, 'qoif\0', 'qoi'],
  [0, 'icns\0', 'icns'],
  [0, 'AT&TFORM', 'djvu'],
  [0, '\xc5\xd0\xd3\xc6', 'eps'],

  [0, '%PDF-', 'pdf', 'ai'],
  [0, '\xef\xbb\xbf%PDF-', 'pdf', 'ai'],
  [0, '{\\rtf', 'rtf'],
  [0, '\xffWPC', 'wpd'],
  [0, 'ITOLITLS', 'lit'],
  [0, 'L\0R\0F\0', 'lrf'],
  [60, 'TEXtREAd', 'prc', 'pdb', 'mobi'],
  [60, 'PNRdPPrs', 'pdb'],
  [60, '.pdfADBE', 'pdb'],
  [0, 'FORM', 'aiff'],

  [0, 'fLaC', 'flac'],
  [0, '#!AMR', 'amr'],
  [0, 'wvpk', 'wv'],
  [0, 'TTA1\x01\0', 'tta'],
  [0, 'TTA1\x02\0', 'tta'],
  [0, 'TTA1\x03\0', 'tta'],
  [0, '.snd\0\0', 'au'],
  [0, 'caff\0', 'caf'],
  [0, 'MThd\0\0\0\x06', 'mid'],
  [0, '.ra\xfd', 'ra'],
  [0, 'ADIF', 'aac'],
  [0, '\x7f\xfe\x80\x01', 'dts'],
  [0, '\xfe\x7f\x01\x80', 'dts'],
  [0, '\x1f\xff\xe8\0', 'dts'],
  [0, '\xff\x1f\0\xe8', 'dts'],
  [0, 'DTSHDHDR', 'dts'],

  [0, 'FLV\x01', 'flv'],
  [0, '.RMF\0\0\0', 'rm', 'ra'],
  [0, '\x06\x0e\x2b\x34\x02\x05\x01\x01\x0d\x01\x02\x01', 'mxf'],
  [0, '\0\0\x01\xba', 'mpg', 'vob'],
  [0, '\0\0\x01\xb3', 'mpg', 'm2v'],
  [0, '\x1f\x07\0', 'dv'],
]

/** What an IFF file holds stands behind its length: only sound is ours. */
const holds = (head: Buffer, bytes: string): boolean => bytes !== 'FORM' || /^AIF[FC]$/.test(ascii(head, 8, 12))

export const byMagic: Detector = (head) => {
  for (const [at, bytes, ...among] of MAGIC) {
    if (ascii(head, at, at + bytes.length) === bytes && holds(head, bytes)) return found(...among)
  }
  return null
}

const POSTSCRIPT = /^\s*(?:\x04|\x1b%-12345X[^%]{0,512})?%!PS/

/** "%!PS-Adobe-3.0 EPSF-3.0" is encapsulated; without the word the name tells. */
export const postScript: Detector = (head) => {
  const text = ascii(head, 0, 1024)
  if (!POSTSCRIPT.test(text)) return null
  if (/%%Creator:\s*Adobe Illustrator/.test(text)) return found('ai', 'eps', 'ps')
  return /EPSF-/.test(text.slice(0, 600)) ? found('eps', 'ps') : found('ps', 'eps')
}
