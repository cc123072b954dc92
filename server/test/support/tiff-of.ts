/** TIFF files and their kin, written by hand: folders of fields, folders within folders, and bytes that fields point to. */
type Kind = 1 | 2 | 3 | 4 | 5 | 10
const SIZE = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 10: 8 } as const

/** A field that holds a folder or a buffer tells where it lies; its kind is 4. Fractions are given as they are. */
export type Field = readonly [tag: number, kind: Kind, value: readonly number[] | string | Folder | Buffer]

export interface Folder {
  fields: readonly Field[]
  next?: Folder
}

const ROOM = 2 ** 18
const even = (size: number): number => size + (size % 2)

/**
 * @param magic the first four bytes; the order of all others is that of its first letter
 * @param behind what stands between the header and the first folder
 */
export function tiffOf(first: Folder, magic = 'II*\0', behind = ''): Buffer {
  const out = Buffer.alloc(ROOM)
  const little = magic.startsWith('I')
  const later: (() => void)[] = []
  let end = out.write(`${magic}\0\0\0\0${behind}`, 'latin1')

  const short = (value: number, at: number) => (little ? out.writeUInt16LE(value, at) : out.writeUInt16BE(value, at))
  const long = (value: number, at: number) => (little ? out.writeInt32LE(value, at) : out.writeInt32BE(value, at))
  const reserve = (size: number): number => {
    const at = end
    end += even(size)
    return at
  }

  function number(kind: Kind, value: number, at: number): void {
    if (kind < 3) out.writeUInt8(value, at)
    else if (kind === 3) short(value, at)
    else if (kind === 4) long(value, at)
    else {
      long(Math.round(value * 1000), at)
      long(1000, at + 4)
    }
  }

  function field([tag, kind, value]: Field, at: number): void {
    const values = typeof value === 'string' ? [...Buffer.from(`${value}\0`)] : Array.isArray(value) ? value : null
    short(tag, at)
    short(kind, at + 2)
    long(values?.length ?? 1, at + 4)
    if (values === null) {
      if (Buffer.isBuffer(value)) later.push(() => long(blob(value), at + 8))
      else if (isFolder(value)) long(folder(value), at + 8)
      return
    }
    const size = values.length * SIZE[kind]
    const place = size <= 4 ? at + 8 : reserve(size)
    if (size > 4) long(place, at + 8)
    for (const [index, each] of values.entries()) number(kind, each, place + index * SIZE[kind])
  }

  function folder({ fields, next }: Folder): number {
    const at = reserve(2 + fields.length * 12 + 4)
    short(fields.length, at)
    // Fields must be "sorted in ascending order by Tag".
    for (const [index, each] of fields.toSorted(([a], [b]) => a - b).entries()) field(each, at + 2 + index * 12)
    if (next) long(folder(next), at + 2 + fields.length * 12)
    return at
  }

  function blob(bytes: Buffer): number {
    const at = reserve(bytes.length)
    bytes.copy(out, at)
    return at
  }

  long(folder(first), 4)
  // Behind all folders, so that the beginning of the file tells what it is.
  for (const write of later) write()
  return out.subarray(0, end)
}

const isFolder = (value: Field[2]): value is Folder => typeof value === 'object' && 'fields' in value
