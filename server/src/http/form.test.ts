import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { BrokenForm, type FormLimits, isForm, readForm } from './form.ts'

const TYPE = 'multipart/form-data; boundary=b'
const LIMITS: FormLimits = { fields: 3, field: 20 }
const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const above = (about: string) => `--b\r\nContent-Disposition: form-data; ${about}\r\n\r\n`
const FILE = above('name="file"; filename="a.png"')
const END = '\r\n--b--\r\n'

async function read(pieces: Iterable<string | Uint8Array>, type = TYPE, limits = LIMITS) {
  const source = Readable.from([...pieces].map((piece) => Buffer.from(piece as string)))
  const { fields, file } = await readForm(source, type, limits)
  const bytes = file && (await buffer(file.body))
  return { fields: Object.fromEntries(fields), name: file?.name, filename: file?.filename, bytes }
}
const text = async (...pieces: string[]) => {
  const { bytes, ...rest } = await read(pieces)
  return { ...rest, text: bytes?.toString() }
}
const broken = (told: RegExp) => (error: unknown) => error instanceof BrokenForm && told.test(error.message)

/** The same bytes in pieces as they may come from the net. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}

describe('a form', () => {
  it('has fields, then a file', async () => {
    const sent = `${field('expires', '12') + field('signature', 'süß') + FILE}bytes${END}`
    const fields = { expires: '12', signature: 'süß' }
    assert.deepEqual(await text(sent), { fields, name: 'file', filename: 'a.png', text: 'bytes' })
  })

  it('may have no file, or nothing at all', async () => {
    const nothing = { name: undefined, filename: undefined, bytes: null }
    assert.deepEqual(await read([`${field('a', '1')}--b--`]), { fields: { a: '1' }, ...nothing })
    assert.deepEqual(await read(['--b--\r\n']), { fields: {}, ...nothing })
  })

  it('may have something before its first part and behind its last, a part without a name, and empty ones', async () => {
    const odd = `for old mail programs\r\n${field('a', '')}--b\r\n\r\nfor nobody\r\n${FILE}${END}what follows`
    assert.deepEqual(await text(odd), { fields: { a: '' }, name: 'file', filename: 'a.png', text: '' })
  })

  it('names its file in many ways', async () => {
    const names = {
      'name="file"; filename="süß 海 😀.png"': 'süß 海 😀.png',
      'name=file; filename=plain.png': 'plain.png',
      'filename="a; name=b.png"; name="file"': 'a; name=b.png',
      'name="file"; filename="say \\"hi\\".png"': 'say "hi".png',
      'name="file"; filename="C:\\dir\\a.png"': 'C:\\dir\\a.png',
      'name="file"; filename*=utf-8\'\'s%C3%BC%C3%9F.png': 'süß.png',
      'name="file"; filename=""': '',
      'name="file"; filename="x"\r\nContent-Type: text/plain': 'x',
      'name="file"\r\ncontent-type: application/octet-stream': '',
    }
    for (const [about, filename] of Object.entries(names))
      assert.deepEqual(await text(`${above(about)}x${END}`), { fields: {}, name: 'file', filename, text: 'x' }, about)
  })

  it('is known by its type, and has the boundary named there', async () => {
    assert.ok(['multipart/form-data; boundary=x', 'Multipart/Form-Data', ' multipart/form-data ;x'].every(isForm))
    assert.ok(!['multipart/mixed', 'multipart/form-datas', 'x multipart/form-data', '', undefined].some(isForm))
    const quoted = 'multipart/form-data; charset=utf-8; Boundary="a b:c"'
    const sent = '--a b:c \t\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nx\r\n--a b:c--'
    assert.equal((await read([sent], quoted)).bytes?.toString(), 'x')
    for (const type of [
      'multipart/form-data',
      `${TYPE.slice(0, -1)}`,
      `multipart/form-data; boundary=${'b'.repeat(71)}`,
    ])
      await assert.rejects(async () => read([''], type), broken(/names no boundary/))
  })

  it('is broken when it ends too early, wherever that is', async () => {
    const whole = `${field('a', '1') + FILE}bytes${END}`
    for (let length = 0; length < whole.length - 6; length++)
      await assert.rejects(text(whole.slice(0, length)), broken(/ends too early/), `${length} bytes`)
  })

  it('is broken when it has too much of anything', async () => {
    for (const names of ['abcd', 'aaaa']) {
      const fields = [...names].map((name) => field(name, ''))
      await assert.rejects(text(fields.join(''), END), broken(/too many fields/))
    }
    await assert.rejects(text(field('a', 'x'.repeat(21)), END), broken(/the field "a" has more than 20 bytes/))
    await assert.rejects(text('--b\r\n', 'X-Long: ', 'x'.repeat(20_000)), broken(/head of a part is too long/))
    await assert.rejects(
      text('--b\r\n', 'X-Long: ', 'x'.repeat(20_000), '\r\n\r\n'),
      broken(/head of a part is too long/),
    )
    await assert.rejects(text('--b', ' '.repeat(20_000)), broken(/head of a part is too long/))
    await assert.rejects(text(`--bb\r\n${FILE}`), broken(/more behind a boundary/))
  })

  it('says what broke the stream', async () => {
    const source = new Readable({ read() {} })
    const reading = readForm(source, TYPE, LIMITS)
    source.destroy(new Error('gone'))
    await assert.rejects(reading, /gone/)
    const other = new Readable({ read() {} })
    const late = readForm(other, TYPE, LIMITS)
    other.push(`${FILE}half`)
    const { file } = await late
    setImmediate(() => other.destroy(new Error('gone')))
    await assert.rejects(buffer(file!.body), /gone/)
  })

  it('holds the sender back while nobody takes the file, and throws the rest away when nobody wants it', async () => {
    let asked = 0
    const source = new Readable({
      read() {
        asked++
        this.push(asked === 1 ? FILE : asked > 1000 ? null : Buffer.alloc(16_384))
      },
    })
    const { file } = await readForm(source, TYPE, LIMITS)
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.ok(asked < 20, `${asked} pieces were taken in`)
    file?.body.destroy()
    await new Promise((resolve) => source.on('close', resolve))
    assert.ok(asked > 1000)
  })

  it('is the same in whatever pieces it comes, and whatever is in the file', async () => {
    const traps = ['\r', '\n', '\r\n', '\r\n-', '\r\n--', '--b', '-', 'b', '\0', 'x'.repeat(40)].map((trap) =>
      Buffer.from(trap),
    )
    const bytes = fc
      .array(fc.oneof(fc.constantFrom(...traps), fc.uint8Array({ maxLength: 9 })), { maxLength: 30 })
      .map((parts) => Buffer.concat(parts))
      .filter((file) => !`\r\n${file.toString('latin1')}`.includes('\r\n--b'))
    await fc.assert(
      fc.asyncProperty(bytes, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), async (file, sizes) => {
        const whole = Buffer.concat([Buffer.from(field('a', '1') + FILE), file, Buffer.from(END)])
        const found = await read(cut(whole, sizes))
        assert.deepEqual([found.fields, found.bytes], [{ a: '1' }, file])
      }),
      { numRuns: 500 },
    )
  })

  it('of any rubbish ends, well or not', async () => {
    const rubbish = fc.array(fc.constantFrom('\r\n', '--b', '--', FILE, END, 'name="x"', 'x', ':', ';', '\r'), {
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(rubbish, async (pieces) => {
        await text(...pieces).catch((error) => assert.ok(error instanceof BrokenForm, String(error)))
      }),
    )
  })
})
