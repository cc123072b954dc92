/** The old Office container: a small file system, whose root and file names tell which program wrote it. */
import type { Ext } from '../formats.ts'
import { type Detector, found } from './finding.ts'

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex')

/** By the class of the root entry, where the directory is within sight. */
const CLASSES: readonly (readonly [id: string, ...among: Ext[]])[] = [
  ['0609020000000000c000000000000046', 'doc', 'dot'],
  ['0009020000000000c000000000000046', 'doc', 'dot'],
  ['2008020000000000c000000000000046', 'xls'],
  ['1008020000000000c000000000000046', 'xls'],
  ['108d81649b4fcf1186ea00aa00b929e8', 'ppt', 'pps'],
  ['131a020000000000c000000000000046', 'vsd'],
  ['141a020000000000c000000000000046', 'vsd'],
  ['0112020000000000c000000000000046', 'pub'],
]
const STREAMS: readonly (readonly [name: string, ...among: Ext[]])[] = [
  ['PowerPoint Document', 'ppt', 'pps'],
  ['WordDocument', 'doc', 'dot'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['VisioDocument', 'vsd'],
  ['Quill', 'pub'],
  ['MatOST', 'wps'],
  ['MN0', 'wps'],
]
/** What the first stream begins with, when the directory is far away. */
const FIRST: readonly (readonly [bytes: string, ...among: Ext[]])[] = [
  ['eca5', 'doc', 'dot'],
  ['09081000', 'xls'],
  ['a0461df0', 'ppt', 'pps'],
  ['006e1ef0', 'ppt', 'pps'],
  ['0f00e803', 'ppt', 'pps'],
]
/** How the only stream of Works begins, since 2000; its name says nothing. */
const WORKS = ['CHNKWKS', 'CHNKINK']
const ALL: readonly Ext[] = ['doc', 'xls', 'ppt', 'dot', 'pps', 'vsd', 'pub', 'wps']
const OFFICE: readonly Ext[] = ['docx', 'xlsx', 'pptx', 'docm', 'dotx', 'xlsm', 'xlsb', 'pptm', 'ppsx']

/** A name as the directory holds it: two bytes a letter, a zero behind. */
const entryName = (name: string): Buffer => Buffer.from(`${name}\0`, 'utf16le')

const rootClass = (head: Buffer): string => {
  const size = 1 << Math.min(head.readUInt16LE(30), 16)
  const at = (head.readUInt32LE(48) + 1) * size
  return head.subarray(at + 80, at + 96).toString('hex')
}

export const ole: Detector = (head, tail) => {
  if (head.length < 512 || !head.subarray(0, 8).equals(SIGNATURE)) return null
  const seen = (name: string): boolean => head.includes(entryName(name)) || tail.includes(entryName(name))
  if (seen('EncryptedPackage')) return { among: OFFICE, encrypted: true }
  const [, ...byClass] = CLASSES.find(([id]) => id === rootClass(head)) ?? []
  if (byClass.length > 0) return found(...byClass)
  const first = head.subarray(512, 516).toString('hex')
  const [, ...byFirst] = FIRST.find(([bytes]) => first.startsWith(bytes)) ?? []
  if (byFirst.length > 0) return found(...byFirst)
  if (WORKS.some((sign) => head.includes(sign))) return found('wps')
  // A document may hold others, whose names are then in its directory too: the name of the file chooses among them.
  const among = STREAMS.filter(([name]) => seen(name)).flatMap(([, ...exts]) => exts)
  return among.length > 0 ? found(...new Set(among)) : { among: ALL, weak: true }
}
