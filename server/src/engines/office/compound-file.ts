/** The old Office container of [MS-CFB]: a small file system in a file, with folders. Pure; runs inside a box too. */

export interface Folder {
  readonly [name: string]: Buffer | Folder
}

const SECTOR = 512
const SMALL = 64
const ENTRY = 128
/** "Streams smaller than this are in the mini stream". */
const CUTOFF = 4096
const [FREE, END, TABLE] = [0xffff_ffff, 0xffff_fffe, 0xffff_fffd]
const [FOLDER, STREAM, ROOT] = [1, 2, 5]

interface Entry {
  name: string
  type: number
  child: number
  right: number
  start: number
  bytes: Buffer
}

const longs = (values: readonly number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer)
const padded = (bytes: Buffer, unit: number): Buffer => Buffer.concat([bytes], Math.ceil(bytes.length / unit) * unit)

/**
 * The entries of a folder are a search tree by name. Ours have few, and go from left to right: each hangs on the right of
 * the one before, which readers search like any other tree.
 */
function listed(root: Folder): Entry[] {
  const entries: Entry[] = []
  const add = (name: string, node: Buffer | Folder, type: number): number => {
    const bytes = Buffer.isBuffer(node) ? node : Buffer.alloc(0)
    const entry: Entry = { name, type, child: FREE, right: FREE, start: END, bytes }
    const at = entries.push(entry) - 1
    if (Buffer.isBuffer(node)) return at
    // "Compare the lengths first, then the letters in upper case".
    const inside = Object.entries(node).sort(
      ([a], [b]) => a.length - b.length || (a.toUpperCase() < b.toUpperCase() ? -1 : 1),
    )
    let before: Entry | null = null
    for (const [key, value] of inside) {
      const place = add(key, value, Buffer.isBuffer(value) ? STREAM : FOLDER)
      if (before === null) entry.child = place
      else before.right = place
      before = entries[place] ?? null
    }
    return at
  }
  add('Root Entry', root, ROOT)
  return entries
}

function written({ name, type, child, right, start, bytes }: Entry, id: string): Buffer {
  const entry = Buffer.alloc(ENTRY)
  entry.write(name, 'utf16le')
  entry.writeUInt16LE((name.length + 1) * 2, 64)
  entry.set([type, 1], 66)
  entry.set(longs([FREE, right, child]), 68)
  if (type === ROOT) entry.write(id, 80, 'hex')
  entry.set(longs([start, bytes.length]), 116)
  return entry
}

/** @param id the class of the root in hexadecimal digits: which program it is of */
export function compoundFile(root: Folder, id = ''): Buffer {
  const entries = listed(root)
  const table: number[] = []
  const sectors: Buffer[] = []
  const chain = (into: number[], count: number): number => {
    const start = into.length
    for (let index = 1; index < count; index += 1) into.push(start + index)
    into.push(END)
    return start
  }
  const put = (bytes: Buffer): number => {
    const sector = padded(bytes, SECTOR)
    sectors.push(sector)
    return chain(table, sector.length / SECTOR)
  }

  // First of all: who looks only at the beginning sees what the file holds.
  const directoryAt = put(Buffer.alloc(entries.length * ENTRY))
  const [smallTable, small]: [number[], Buffer[]] = [[], []]
  for (const entry of entries) {
    if (entry.type !== STREAM || entry.bytes.length === 0) continue
    if (entry.bytes.length >= CUTOFF) entry.start = put(entry.bytes)
    else {
      const piece = padded(entry.bytes, SMALL)
      small.push(piece)
      entry.start = chain(smallTable, piece.length / SMALL)
    }
  }
  const top = entries[0]
  if (top && small.length > 0) {
    top.bytes = Buffer.concat(small)
    top.start = put(top.bytes)
  }
  const fill = (numbers: number[]): number[] => {
    while (numbers.length % (SECTOR / 4) > 0) numbers.push(FREE)
    return numbers
  }
  const smallAt = smallTable.length > 0 ? put(longs(fill(smallTable))) : END
  sectors[0] = padded(Buffer.concat(entries.map((entry) => written(entry, id))), SECTOR)

  const tables = Math.ceil((table.length * 4) / (SECTOR - 4))
  const tableAt = table.length
  for (let index = 0; index < tables; index += 1) table.push(TABLE)

  const header = Buffer.alloc(SECTOR)
  header.write('d0cf11e0a1b11ae1', 'hex')
  header.set(Buffer.from(Uint16Array.of(0x3e, 3, 0xfffe, 9, 6).buffer), 24)
  const smallTables = smallTable.length / (SECTOR / 4)
  header.set(longs([tables, directoryAt, 0, CUTOFF, smallAt, smallTables, END, 0]), 44)
  header.fill(0xff, 76)
  header.set(longs(Array.from({ length: tables }, (_, index) => tableAt + index)), 76)
  return Buffer.concat([header, ...sectors, longs(fill(table))])
}
