import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import fc from 'fast-check'
import sharp from 'sharp'
import { animation, corners } from '../../../test/support/samples.ts'
import { bare } from './bare.ts'
import type { Loader } from './plan.ts'

const run = promisify(execFile)
const dir = await mkdtemp(join(tmpdir(), 'reforge-bare-'))
after(() => rm(dir, { recursive: true, force: true }))

/** What ExifTool finds of what somebody wrote. */
async function told(bytes: Buffer): Promise<string> {
  const path = join(dir, 'picture')
  await writeFile(path, bytes)
  return (await run('/usr/bin/exiftool', ['-a', '-G0', '-u', path])).stdout
}

const XMP =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="Secret"/></rdf:RDF></x:xmpmeta>'
const talking = () =>
  corners()
    .withExif({ IFD0: { Copyright: 'Secret' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } })
    .withXmp(XMP)

const pictures: readonly [Loader, Buffer][] = [
  ['jpeg', await talking().jpeg().toBuffer()],
  ['png', await talking().png().toBuffer()],
  ['webp', await talking().webp().toBuffer()],
  ['tiff', await talking().tiff({ compression: 'deflate' }).toBuffer()],
  ['heif', await talking().avif({ effort: 0 }).toBuffer()],
  ['gif', withComment(await animation('gif', ['#f00', '#0f0'], [100, 200], 3))],
]

function withComment(gif: Buffer): Buffer {
  const at = 13 + (gif[10]! & 0x80 ? 3 * 2 ** ((gif[10]! & 7) + 1) : 0)
  const xmp = [
    Buffer.from([0x21, 0xff, 11]),
    Buffer.from('XMP DataXMP'),
    Buffer.from([6]),
    Buffer.from('Secret'),
    Buffer.of(0),
  ]
  const comment = [Buffer.from([0x21, 0xfe, 6]), Buffer.from('Secret'), Buffer.of(0)]
  return Buffer.concat([gif.subarray(0, at), ...comment, ...xmp, gif.subarray(at)])
}

const pixels = (bytes: Buffer) => sharp(bytes, { animated: true }).raw().toBuffer()

describe('a picture without its metadata', () => {
  for (const [loader, bytes] of pictures) {
    it(`is the same picture as ${loader}, and tells nothing`, async () => {
      assert.ok(bytes.includes('Secret'))
      const made = bare(bytes, loader)
      assert.ok(made && made.length <= bytes.length)
      assert.ok(!made.includes('Secret'))
      assert.doesNotMatch(await told(made), /Secret|\bGPS|\[XMP\]|Warning|Error/)
      assert.ok((await pixels(made)).equals(await pixels(bytes)))
      const { exif, xmp, delay, loop } = await sharp(made, { animated: true }).metadata()
      assert.deepEqual([exif, xmp], [undefined, undefined])
      const { delay: pauses, loop: times } = await sharp(bytes, { animated: true }).metadata()
      assert.deepEqual([delay, loop], [pauses, times])
    })

    it(`is what it was as ${loader} where there was none`, () => {
      const made = bare(bytes, loader)!
      assert.ok(bare(made, loader)?.equals(made))
    })

    it(`is refused as ${loader} in pieces`, () =>
      fc.assert(
        fc.property(fc.nat(bytes.length - 1), fc.nat(bytes.length - 1), fc.nat(255), (cut, at, value) => {
          const broken = Buffer.from(bytes.subarray(0, cut))
          if (at < cut) broken[at] = value
          const made = bare(broken, loader)
          assert.ok(made === null || made.length <= broken.length + 40)
        }),
        { numRuns: 60 },
      ))
  }

  it('still knows how the camera was held and what its colours are', async () => {
    for (const [loader, as] of [
      ['jpeg', 'jpeg'],
      ['png', 'png'],
      ['webp', 'webp'],
      ['tiff', 'tiff'],
    ] as const) {
      const bytes = await talking().withMetadata({ orientation: 6 }).withIccProfile('p3')[as]().toBuffer()
      const { orientation, icc } = await sharp(bare(bytes, loader)!).metadata()
      assert.deepEqual([loader, orientation, icc !== undefined], [loader, 6, true])
    }
  })
})
