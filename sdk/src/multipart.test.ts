import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { frame, newBoundary, streamOf } from './multipart.ts'
import { framedPieces } from './pieces.ts'
import { sourceOf } from './source.ts'

/** Node's own reader of forms judges what we write. */
async function readForm(body: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> {
  return new Response(body, { headers: { 'content-type': contentType } }).formData()
}

const whole = async (pieces: AsyncIterable<Uint8Array>) => new Uint8Array(Buffer.concat(await Array.fromAsync(pieces)))
const text = (from: RegExp) => fc.string().map((value) => value.replace(from, ''))

test('a form is read back as it was written, whatever is in it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(text(/[^a-z]/g).filter(Boolean), text(/[\r\n]/g), { maxKeys: 4 }),
      text(/["\r\n%\\]/g).filter(Boolean),
      fc.uint8Array({ maxLength: 2000 }),
      async (parameters, filename, bytes) => {
        delete parameters.file
        const framed = frame(parameters, filename, newBoundary())
        const body = await whole(framedPieces(framed, sourceOf(bytes)))
        assert.equal(body.length, framed.head.length + bytes.length + framed.tail.length)
        const form = await readForm(body, framed.contentType)
        const file = form.get('file')
        assert.ok(file instanceof File)
        assert.equal(file.name, filename)
        assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(bytes))
        for (const [name, value] of Object.entries(parameters)) assert.equal(form.get(name), value)
      },
    ),
    { numRuns: 60 },
  )
})

test('a name cannot break out of its quotes', () => {
  const { head } = frame({}, 'a"\r\nX-Evil: 1\r\n\r\n.png', 'b')
  assert.match(new TextDecoder().decode(head), /filename="a%22%0D%0AX-Evil: 1%0D%0A%0D%0A.png"\r\n/)
})

test('the parameters come before the file', () => {
  const { head } = frame({ expires: '1', signature: 's' }, 'a.png', 'b')
  assert.match(new TextDecoder().decode(head), /name="expires".*name="signature".*name="file"/s)
})

test('a piece is read only when the last one is gone', async () => {
  let read = 0
  async function* pieces() {
    for (; read < 1000; ) {
      read++
      yield new Uint8Array(10)
    }
  }
  const reader = streamOf(framedPieces(frame({}, 'a', 'b'), sourceOf(pieces()))).getReader()
  for (let taken = 0; taken < 20; taken++) {
    await reader.read()
    assert.ok(read <= taken + 1, `${read} read when ${taken} were taken`)
  }
  await reader.cancel()
})

test('giving up closes the source', async () => {
  let closed = false
  async function* pieces() {
    try {
      for (;;) yield new Uint8Array(10)
    } finally {
      closed = true
    }
  }
  const reader = streamOf(framedPieces(frame({}, 'a', 'b'), sourceOf(pieces()))).getReader()
  await reader.read()
  await reader.read()
  await reader.cancel()
  assert.ok(closed)
})

test('a file that is shorter or longer than it said is not sent as if nothing were', async () => {
  for (const size of [2, 4]) {
    const stream = () => new Blob(['abc']).stream()
    await assert.rejects(whole(framedPieces(frame({}, 'a', 'b'), sourceOf({ size, stream }))), { code: 'file_changed' })
  }
})

test('every kind of source gives the same bytes, and how far it got', async () => {
  const bytes = Buffer.alloc(700_000, 'reforge')
  const kinds = {
    buffer: bytes,
    'array buffer': new Uint8Array(bytes).buffer,
    blob: new Blob([bytes]),
    'web stream': new Blob([bytes]).stream(),
    iterable: (async function* () {
      yield bytes.subarray(0, 5)
      yield new Uint8Array(0)
      yield bytes.subarray(5).toString()
    })(),
    'stream that cannot be looped over': withoutLoop(new Blob([bytes]).stream()),
  }
  for (const [name, kind] of Object.entries(kinds)) {
    const framed = frame({}, 'a', 'b')
    const seen: number[] = []
    const body = await whole(framedPieces(framed, sourceOf(kind), { onProgress: (sent) => seen.push(sent) }))
    assert.deepEqual(Buffer.from(body.subarray(framed.head.length, -framed.tail.length)), bytes, name)
    assert.equal(seen.at(-1), bytes.length, name)
  }
})

function withoutLoop(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return { getReader: () => stream.getReader() } as ReadableStream<Uint8Array>
}
