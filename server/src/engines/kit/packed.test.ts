import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { tempDir } from '../../../test/support/temp-dir.ts'
import { zipOf } from '../../../test/support/zip-of.ts'
import { checkPacked } from './packed.ts'

const { path: dir, remove } = await tempDir()
after(remove)

async function check(bytes: Uint8Array) {
  const path = join(dir, 'book.epub')
  await writeFile(path, bytes)
  return checkPacked({ path, size: bytes.length, filename: 'book.epub' })
}

/** A ZIP whose directory says something else of its first entry. */
function saying(bytes: number, files = { a: Buffer.alloc(10) }): Buffer {
  const zip = zipOf(files)
  zip.writeUInt32LE(bytes, zip.indexOf('PK\x01\x02', 0, 'latin1') + 24)
  return zip
}

describe('what a ZIP says it holds', () => {
  it('is told', async () => {
    assert.deepEqual(await check(zipOf({ 'a.txt': Buffer.from('abc'), 'ü/b': Buffer.alloc(0) })), [
      { name: 'a.txt', packed: 3, unpacked: 3, at: 0, method: 0 },
      { name: 'ü/b', packed: 0, unpacked: 0, at: 38, method: 0 },
    ])
  })

  it('is refused where it is too much, as a whole or for its size', async () => {
    await assert.rejects(check(saying(0xffff_ffff)), /"book\.epub" unpacks to 4096 MB/)
    await assert.rejects(check(saying(20 * 2 ** 20)), /unpacks to 20 MB/)
    assert.equal((await check(saying(15 * 2 ** 20))).length, 1)
    assert.equal((await check(saying(20 * 2 ** 20, { a: Buffer.alloc(2 ** 20) }))).length, 1)
  })

  it('is refused where the book is locked', async () => {
    await assert.rejects(check(zipOf({ 'META-INF/rights.xml': Buffer.alloc(1) })), /protected against copying \(DRM\)/)
    const office = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])
    await assert.rejects(check(office), /"book\.epub" is protected by a password.*document_password/)
  })

  it('is never more than a refusal, whatever the bytes are', async () => {
    const zip = zipOf({ a: Buffer.from('abc'), b: Buffer.from('d') })
    const places = fc.array(fc.tuple(fc.nat(zip.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(places, fc.nat(zip.length), async (changes, length) => {
        const broken = Buffer.from(zip)
        for (const [at, byte] of changes) broken[at] = byte
        await check(broken.subarray(0, length)).catch((error: Error) => assert.match(error.message, /^"book\.epub" /))
      }),
    )
  })
})
