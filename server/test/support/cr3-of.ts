/** Canon's CR3, written by hand: boxes as in MP4, the camera's notes as a TIFF in one, and one track that is the mosaic. */
import { canonPlane } from './canon-planes.ts'
import { mosaic, RAW } from './raw-picture.ts'
import { type Field, tiffOf } from './tiff-of.ts'

const { width, height } = RAW
const BITS = 14
const CANON = '85c0b687820f11e08111f4ce462b6a48'

const long = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}
const box = (name: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([long(body.length + 8), Buffer.from(name, 'latin1'), body])
}

/** The rows of the colour that begins at this place of the mosaic; half of the largest value counts as nothing. */
function plane(values: readonly number[], left: number, top: number): number[][] {
  return Array.from({ length: height / 2 }, (_, y) =>
    Array.from({ length: width / 2 }, (_, x) => {
      const value = values[(2 * y + top) * width + 2 * x + left] ?? 0
      return value - 2 ** (BITS - 1)
    }),
  )
}

/** A list of a tile, its planes and the one band of each, all with their lengths; and behind it the planes. */
function packed(): { head: Buffer; planes: Buffer } {
  const values = mosaic(12_000, 600)
  const corners = [0, 1, 2, 3].map((index) => canonPlane(plane(values, index % 2, index >> 1)))
  const planes = Buffer.concat(corners)
  const list = corners.flatMap(({ length }, index) => [
    long(0xff02_0008, length, ((index << 28) | 0x0800_0000) >>> 0),
    long(0xff03_0008, length, 0),
  ])
  return { head: Buffer.concat([long(0xff01_0008, planes.length, 0), ...list]), planes }
}

/** `named` are the fields by which a camera tells its name and how it was held. */
export function cr3Of(named: readonly Field[]): Buffer {
  const { head, planes } = packed()
  const notes = tiffOf({ fields: [[256, 4, [width]], [257, 4, [height]], ...named] })
  const sizes = long(
    0xffff_0030,
    0x0100_0000,
    width,
    height,
    width,
    height,
    (BITS << 24) | 0x40_0000,
    head.length,
    0,
    0,
  )
  const track = (start: number): Buffer =>
    box(
      'trak',
      box(
        'mdia',
        box('hdlr', long(0, 0), Buffer.from('vide'), Buffer.alloc(13)),
        box(
          'minf',
          box(
            'stbl',
            box('stsd', long(0, 1), box('CRAW', Buffer.alloc(82), box('CMP1', sizes))),
            box('stsz', long(0, 0, 1, head.length + planes.length)),
            box('co64', long(0, 1, 0, start)),
          ),
        ),
      ),
    )
  const front = (start: number): Buffer =>
    Buffer.concat([
      box('ftyp', Buffer.from('crx '), long(1), Buffer.from('crx isom')),
      box('moov', box('uuid', Buffer.from(CANON, 'hex'), box('CMT1', notes)), track(start)),
    ])
  // The length of what stands in front does not hang on what it says.
  return Buffer.concat([front(front(0).length + 8), box('mdat', head, planes)])
}
