/** Downloads by signed link: ranges, names, caching, and links that somebody has changed. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { picture } from '../support/pictures.ts'
import { assertRefused } from '../support/refusal.ts'
import { startServer } from '../support/server.ts'
import { type Shown, stepsOn } from '../support/steps.ts'

const photo = await picture('png', 64, 64)
const size = photo.length
const server = await startServer()
after(() => server[Symbol.asyncDispose]())
const { create, imported, send, done } = stepsOn(server)
const { url } = (await imported(photo, 'sea.png')).result

async function get(address: string, headers: Record<string, string> = {}, method = 'GET') {
  const answer = await server.fetch(address, { method, headers })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const isJson = answer.headers.get('content-type')?.includes('json')
  const text = bytes.toString()
  const json: Shown = isJson ? JSON.parse(text) : null
  return { status: answer.status, headers: answer.headers as unknown as Headers, bytes, text, json }
}

describe('a download', () => {
  test('is an attachment that no page can be made of', async () => {
    const { status, headers, bytes } = await get(url)
    assert.equal(status, 200)
    assert.deepEqual(bytes, photo)
    assert.equal(headers.get('content-type'), 'image/png')
    assert.equal(headers.get('content-length'), String(size))
    assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="sea\.png"/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('content-security-policy'), 'sandbox')
    assert.equal(headers.get('accept-ranges'), 'bytes')
    assert.equal(headers.get('access-control-allow-origin'), '*')
  })

  test('comes whatever Accept says: it is a file', async () => {
    assert.equal((await get(url, { accept: 'text/html' })).status, 200)
  })

  for (const [range, from, to] of [
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, size - 1],
    ['bytes=-10', size - 10, size - 1],
    [`bytes=${size - 1}-`, size - 1, size - 1],
    [`bytes=5-${size + 1000}`, 5, size - 1],
    [`bytes=-${size * 2}`, 0, size - 1],
  ] as const)
    test(`gives ${range.replaceAll(String(size), 'size')} of it`, async () => {
      const { status, headers, bytes } = await get(url, { range })
      assert.equal(status, 206)
      assert.equal(headers.get('content-range'), `bytes ${from}-${to}/${size}`)
      assert.equal(headers.get('content-length'), String(to - from + 1))
      assert.deepEqual(bytes, photo.subarray(from, to + 1))
    })

  for (const range of [`bytes=${size}-`, 'bytes=99999999-', 'bytes=-0'])
    test(`refuses ${range.replaceAll(String(size), 'size')}, which it does not have`, async () => {
      const answer = await get(url, { range })
      assertRefused(answer, 'range_not_satisfiable', /bytes/)
      assert.equal(answer.headers.get('content-range'), `bytes */${size}`)
      assert.equal(answer.headers.get('content-disposition'), null)
    })

  for (const range of ['bytes=5-2', 'lines=1-2', 'bytes=', 'bytes=-', 'bytes=0-1,5-6', 'bytes=a-b', '0-5'])
    test(`answers ${range} with the whole, as the standard allows`, async () => {
      const { status, bytes } = await get(url, { range })
      assert.equal(status, 200)
      assert.equal(bytes.length, size)
    })

  test('answers HEAD with everything but the bytes', async () => {
    const { status, headers, bytes } = await get(url, {}, 'HEAD')
    assert.equal(status, 200)
    assert.equal(headers.get('content-length'), String(size))
    assert.equal(bytes.length, 0)
    const part = await get(url, { range: 'bytes=0-9' }, 'HEAD')
    assert.equal(part.headers.get('content-length'), part.status === 206 ? '10' : String(size))
  })

  test('goes on where it was only if it is still the same file', async () => {
    const etag = (await get(url)).headers.get('etag') ?? ''
    assert.match(etag, /^".+"$/)
    const range = 'bytes=10-19'
    assert.equal((await get(url, { range, 'if-range': etag })).status, 206)
    assert.equal((await get(url, { range, 'if-range': '"another"' })).status, 200)
    assert.equal((await get(url, { range, 'if-range': new Date(0).toUTCString() })).status, 200)
    assert.equal((await get(url, { 'if-none-match': etag })).status, 304)
    assert.equal((await get(url, { 'if-none-match': `"x", ${etag}` })).status, 304)
    assert.equal((await get(url, { 'if-none-match': `W/${etag}` })).status, 304)
    assert.equal((await get(url, { 'if-none-match': '"x"' })).status, 200)
  })

  test('of an empty file is empty', async () => {
    const upload = await create('import/upload')
    const { result } = await send(upload, Buffer.alloc(0), 'empty.txt')
    assert.equal(result.size, 0)
    const { status, headers, bytes } = await get(result.url)
    assert.deepEqual([status, headers.get('content-length'), bytes.length], [200, '0', 0])
    assertRefused(await get(result.url, { range: 'bytes=0-' }), 'range_not_satisfiable')
  })

  for (const name of [
    'süß 海 😀.png',
    `it's "quoted" (1).png`,
    '100% & more;x=1.png',
    'a+b c#d?e.png',
    '~!*.png',
    'x'.repeat(300),
  ])
    test(`keeps the name ${name.slice(0, 40)}`, async () => {
      const { result } = await done('export/url', { input: (await imported(photo)).id, filename: name })
      const { status, headers } = await get(result.url)
      assert.equal(status, 200)
      const header = headers.get('content-disposition') ?? ''
      const [, plain, exact = ''] =
        /^attachment; filename="([^"]*)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(header) ?? []
      assert.equal(decodeURIComponent(exact), result.filename)
      assert.match(plain ?? '', /^[\x20-\x7e]+$/)
    })
})

describe('a link that somebody has changed', () => {
  const other = async () => new URL((await imported(await picture('png', 8, 8), 'other.png')).result.url)
  const changed = (change: (link: URL) => void): string => {
    const link = new URL(url)
    change(link)
    return link.href
  }
  const withPath = (path: (before: string) => string): string =>
    changed((link) => {
      link.pathname = path(link.pathname)
    })
  const refused = async (address: string) => assertRefused(await get(address), 'forbidden', /not valid/)

  test('another name', () => refused(url.replace('sea.png', 'sea.exe')))
  test('the same name written otherwise', () => refused(url.replace('sea.png', 's%65a.png')))
  test('another task', async () => {
    const theirs = await other()
    const [, , , task = ''] = theirs.pathname.split('/')
    await refused(withPath((path) => path.replace(/[0-9a-f]{24}/, task)))
  })
  test("another file's path", async () => {
    const theirs = await other()
    await refused(withPath(() => theirs.pathname))
  })
  test("another file's signature", async () => {
    const theirs = await other()
    await refused(changed((link) => link.searchParams.set('signature', theirs.searchParams.get('signature') ?? '')))
  })
  test('a longer life', () =>
    refused(
      changed((link) => link.searchParams.set('expires', String(Number(link.searchParams.get('expires')) + 3600))),
    ))
  for (const expires of ['', '0', '-1', 'never', '1e99', '9'.repeat(30)])
    test(`the life "${expires}"`, () => refused(changed((link) => link.searchParams.set('expires', expires))))
  for (const part of ['expires', 'signature'])
    test(`no ${part}`, () => refused(changed((link) => link.searchParams.delete(part))))
  for (const signature of ['', '.', 'x.y', 'a'.repeat(10_000)])
    test(`the signature "${signature.slice(0, 20)}"`, () =>
      refused(changed((link) => link.searchParams.set('signature', signature))))
  test('the signature twice', async () => {
    const answer = await get(`${url}&signature=x`)
    assert.ok(answer.status === 403 || answer.status === 400, String(answer.status))
  })
  test('one letter of the signature', () =>
    refused(
      changed((link) => {
        const signature = link.searchParams.get('signature') ?? ''
        link.searchParams.set(
          'signature',
          signature.slice(0, -2) + (signature.at(-2) === 'A' ? 'B' : 'A') + signature.at(-1),
        )
      }),
    ))
  test('the signature of an upload', async () => {
    const { parameters } = (await create('import/upload')).result.form
    await refused(changed((link) => (link.search = new URLSearchParams(parameters).toString())))
  })
  test('a path that climbs', async () => {
    const answer = await get(`${server.url}/v1/files/..%2f..%2f..%2fetc/passwd/x?expires=99999999999&signature=x.y`)
    assertRefused(answer, 'forbidden')
  })
})
