/**
 * Hostile files, names, options and addresses, through the whole service. None of them may reach the canaries, stop the
 * service or be answered with anything but a clear refusal, a failed task or a harmless result.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { serveFiles } from '../support/file-server.ts'
import { picture } from '../support/pictures.ts'
import { startServer } from '../support/server.ts'
import { BOUND, type Shown, stepsOn } from '../support/steps.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

const CANARY = `canary-${randomBytes(8).toString('hex')}`
const place = await tempDir()
// Anybody may read the canaries: only the box keeps an engine from them.
await chmod(place.path, 0o755)
const canaryFile = join(place.path, 'canary.txt')
await writeFile(canaryFile, CANARY, { mode: 0o644 })
const canaryPicture = join(place.path, 'canary.png')
await writeFile(canaryPicture, await solid('#ff0000'))
const web = await serveFiles({ '/canary.png': await solid('#ff0000') })
const server = await startServer()
after(async () => {
  await server[Symbol.asyncDispose]()
  await web[Symbol.asyncDispose]()
  await place.remove()
})
const { create, ended, run, imported, send, download } = stepsOn(server)
const photo = await picture('png', 24, 16)

function solid(background: string): Promise<Buffer> {
  return sharp({ create: { width: 40, height: 40, channels: 3, background } })
    .png()
    .toBuffer()
}

/** A failed task says why in words, and nothing of the machine. */
function assertClear(task: Shown): void {
  assert.equal(task.status, 'failed')
  assert.match(task.result.errorCode, /^(processing_failed|engine_timeout)$/)
  assert.ok(task.result.msg.length > 10)
  assert.doesNotMatch(task.result.msg, /\/tmp|\/usr|\/work|\/opt|node:|Error:|vips|bwrap|undefined|\bat .*:\d+/)
}

async function convert(bytes: Uint8Array, name: string, output_format = 'png'): Promise<Shown> {
  const upload = await create('import/upload')
  // Before the file has come its format is not known: what is wrong with it shows when the task runs.
  const { id } = await create('convert', { input: upload.id, output_format })
  await send(upload, bytes, name)
  return ended('tasks', id, BOUND)
}

/** Whatever came out holds neither canary: no text of the file, and not the red of the pictures. */
async function assertHarmless(task: Shown): Promise<void> {
  assert.deepEqual(web.hits, [])
  if (task.status === 'failed') return assertClear(task)
  const bytes = await download(task.result.url)
  assert.equal(bytes.includes(CANARY), false)
  const { dominant } = await sharp(bytes).stats()
  assert.ok(!(dominant.r > 200 && dominant.g < 60 && dominant.b < 60), 'the canary picture is not in it')
}

const svg = (inside: string, head = '', attributes = ''): Buffer =>
  Buffer.from(
    `<?xml version="1.0"?>${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40" ${attributes}>${inside}</svg>`,
  )

describe('drawings that reach out', () => {
  const image = (href: string) => `<image xlink:href="${href}" href="${href}" width="40" height="40"/>`
  const cases: Record<string, Buffer> = {
    'an entity that reads a file': svg(
      '<text x="0" y="20">&x;</text>',
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "file://${canaryFile}">]>`,
    ),
    'a parameter entity from the web': svg(
      '<text>a</text>',
      `<!DOCTYPE svg [<!ENTITY % x SYSTEM "${web.url}/x.dtd"> %x;]>`,
    ),
    'a document type from the web': svg('<text>a</text>', `<!DOCTYPE svg SYSTEM "${web.url}/svg.dtd">`),
    'a picture file': svg(image(`file://${canaryPicture}`)),
    'a picture by its path': svg(image(canaryPicture)),
    'a picture by a relative path': svg(image('canary.png') + image('../canary.png') + image('in.png')),
    'a picture from the web': svg(image(`${web.url}/canary.png`)),
    'a use from the web': svg(`<use xlink:href="${web.url}/a.svg#x" href="${web.url}/a.svg#x"/>`),
    'a style from the web': svg(
      `<style>@import url("${web.url}/a.css"); rect{fill:url(${web.url}/a.svg#x)}</style><rect width="9" height="9"/>`,
    ),
    'a style sheet instruction': svg(
      '<rect width="9" height="9"/>',
      `<?xml-stylesheet href="${web.url}/a.css" type="text/css"?>`,
    ),
    'a font from the web': svg(
      `<style>@font-face{font-family:x;src:url(${web.url}/x.ttf)}</style><text font-family="x">a</text>`,
    ),
    'an inclusion': svg(
      `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file://${canaryFile}" parse="text"/><text y="20"><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file://${canaryFile}" parse="text"/></text>`,
    ),
    'a script': svg(
      `<script>fetch("${web.url}/x")</script><rect width="9" height="9" onload="fetch('${web.url}/y')"/>`,
    ),
    'a foreign page': svg(
      `<foreignObject width="40" height="40"><iframe xmlns="http://www.w3.org/1999/xhtml" src="file://${canaryFile}"/></foreignObject>`,
    ),
    'a filter picture': svg(
      `<filter id="f"><feImage xlink:href="file://${canaryPicture}"/></filter><rect width="40" height="40" filter="url(#f)"/>`,
    ),
    'a drawing that includes itself': svg(`<symbol id="a"><use href="#a"/></symbol><use href="#a"/>`),
    'a drawing packed in gzip': gzipSync(svg(image(`${web.url}/canary.png`))),
  }
  for (const [what, bytes] of Object.entries(cases))
    test(what, async () => {
      await assertHarmless(await convert(bytes, bytes[0] === 0x1f ? 'a.svgz' : 'a.svg'))
    })
})

describe('bombs', () => {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const pngOf = (width: number, height: number, pixels: Buffer): Buffer => {
    const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
    header.writeUInt32BE(width, 0)
    header.writeUInt32BE(height, 4)
    const parts = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
    return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
  }
  const laughs = Array.from({ length: 20 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')
  const cases: Record<string, [Buffer, string]> = {
    'sixty thousand pixels square': [pngOf(60_000, 60_000, deflateSync(Buffer.alloc(1000))), 'a.png'],
    'more pixels than numbers': [pngOf(0x7fffffff, 0x7fffffff, deflateSync(Buffer.alloc(10))), 'a.png'],
    'a picture without pixels': [pngOf(0, 0, deflateSync(Buffer.alloc(0))), 'a.png'],
    'pixels that unpack to far too many': [pngOf(100, 100, deflateSync(Buffer.alloc(50_000_000))), 'a.png'],
    'a billion laughs': [svg('<text>&l20;</text>', `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs}]>`), 'a.svg'],
    'a drawing of enormous size': [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9999999" height="9999999"/>'),
      'a.svg',
    ],
    'a drawing nested without end': [svg(`${'<g>'.repeat(100_000)}${'</g>'.repeat(100_000)}`), 'a.svg'],
    'a drawing packed too well': [gzipSync(svg(' '.repeat(100_000_000)), { level: 9 }), 'a.svgz'],
  }
  for (const [what, [bytes, name]] of Object.entries(cases))
    test(`${what}: refused in words, or drawn small`, async () => {
      await assertHarmless(await convert(bytes, name))
    })
})

describe('files that are not what they say', () => {
  const hls = Buffer.from(
    `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\nfile://${canaryFile}\n#EXTINF:10.0,\n${web.url}/x.ts\n#EXT-X-ENDLIST\n`,
  )
  const html = Buffer.from(`<html><img src="${web.url}/canary.png"><script>fetch("${web.url}/x")</script></html>`)
  const broken: Record<string, [Buffer, string]> = {
    'half a picture': [photo.subarray(0, photo.length / 2), 'a.png'],
    'the head of a picture': [photo.subarray(0, 20), 'a.png'],
    zeros: [Buffer.alloc(5000), 'a.png'],
    'random bytes': [randomBytes(5000), 'a.png'],
    'random bytes after the head of a picture': [Buffer.concat([photo.subarray(0, 40), randomBytes(5000)]), 'a.png'],
    'a playlist called mp4': [hls, 'a.mp4'],
    'a playlist called png': [hls, 'a.png'],
  }
  for (const [what, [bytes, name]] of Object.entries(broken))
    test(`${what}: the task fails and says why`, async () => {
      assertClear(await convert(bytes, name, 'jpg'))
      assert.deepEqual(web.hits, [])
    })

  // An engine may be there that makes a picture of a text; what the text names must not be in it.
  const texts: Record<string, [Buffer, string]> = {
    'one byte': [Buffer.from([0xff]), 'a.jpg'],
    'a page called png': [html, 'a.png'],
    'a page after a PDF': [Buffer.concat([Buffer.from('%PDF-1.4\n'), html]), 'a.png'],
    'a drawing program called svg': [
      Buffer.from(
        `<?xml version="1.0"?><image><read filename="${canaryPicture}"/><write filename="/tmp/out.png"/></image>`,
      ),
      'a.svg',
    ],
    'a list of files': [Buffer.from(`ffconcat version 1.0\nfile '${canaryFile}'\n`), 'a.png'],
    'a script': [Buffer.from('#!/bin/sh\ntouch PWNED\n'), 'a.png'],
    'a name of a file': [Buffer.from(`@${canaryFile}`), 'a.png'],
  }
  for (const [what, [bytes, name]] of Object.entries(texts))
    test(`${what}: nothing it names is reached`, async () => {
      await assertHarmless(await convert(bytes, name, 'jpg'))
    })

  test('a picture with something behind it is a picture, and what was behind it is gone', async () => {
    const task = await convert(Buffer.concat([photo, Buffer.from(`<script>${CANARY}</script>`)]), 'a.html')
    assert.equal(task.status, 'completed')
    await assertHarmless(task)
  })

  test('an empty file says that it is empty', async () => {
    const task = await convert(Buffer.alloc(0), 'a.png')
    assertClear(task)
    assert.match(task.result.msg, /empty/)
  })
})

const NAMES = [
  '../../x.png',
  '..\\..\\x.png',
  '/etc/passwd',
  'a\nSet-Cookie: x=1\r\n\r\n.png',
  'a\0.png',
  '$(id).png',
  '`id`.png',
  ';touch PWNED.png',
  '-rf.png',
  '--help',
  '@file.png',
  '|cat.png',
  '%s%n%00.png',
  'x'.repeat(900),
  'CON.png',
  'NUL',
  '"quotes\'.png',
  'photo\u202egnp.exe',
  '海'.repeat(200),
  '\ud83d.png',
  '.',
  '..',
  '.htaccess',
  ' ',
  '__proto__',
]

describe('hostile names', () => {
  const isTidy = (name: string) => {
    assert.doesNotMatch(name, /[\0-\x1f\x7f/\\\u202a-\u202e]/)
    assert.ok(name.isWellFormed())
    assert.ok(Buffer.byteLength(name) <= 255)
    assert.doesNotMatch(name, /^\.{0,2}$|^\s|\s$|^\./)
    assert.doesNotMatch(name, /^(con|nul)(\.|$)/i)
  }
  for (const name of NAMES)
    test(JSON.stringify(name.slice(0, 30)), async () => {
      const source = await imported(photo, name)
      const results = [
        source,
        await run('convert', { input: source.id, output_format: 'jpg' }),
        await run('convert', { input: source.id, output_format: 'jpg', filename: name }),
        await run('export/url', { input: [source.id, source.id], archive_multiple_files: true, filename: name }),
      ]
      // A form's own header line cannot carry these.
      if (!/[\r\n\0]/.test(name) && name.isWellFormed())
        results.push(await send(await create('import/upload'), photo, name))
      for (const task of results) {
        assert.equal(task.status, 'completed', task.result.msg)
        isTidy(task.result.filename)
        const answer = await server.fetch(task.result.url)
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('set-cookie'), null)
        assert.match(
          answer.headers.get('content-disposition') ?? '',
          /^attachment; filename="[^"\\]*"; filename\*=UTF-8''\S+$/,
        )
        await answer.arrayBuffer()
      }
    })

  test('nothing on the disk is called what a caller said', async () => {
    const names = await readdir(server.data, { recursive: true })
    assert.ok(names.length > NAMES.length)
    for (const name of names) assert.match(name, /^[\w./-]+$/)
    assert.ok(!names.some((name) => /PWNED|passwd|htaccess/.test(name)))
  })
})

describe('every option, with what might mean something to a tool', () => {
  const POISON = [
    '-x',
    '--help',
    '\n-x',
    'a\0b',
    '|id',
    '%pipe%id',
    '@/etc/passwd',
    ':/etc/passwd',
    '../../x',
    '$(id)',
    "';x",
    '\u202e',
    '1e999',
    'NaN',
    'Infinity',
    '-1',
    '9'.repeat(400),
    '#'.repeat(2000),
  ]
  const pairs = [
    ['convert', 'png', 'jpg'],
    ['convert', 'png', 'webp'],
    ['convert', 'gif', 'gif'],
    ['convert', 'svg', 'png'],
    ['convert', 'png', 'tiff'],
    ['compress', 'jpg', 'jpg'],
    ['crop', 'png', 'png'],
    ['trim', 'gif', 'gif'],
    ['merge', 'png', 'gif'],
  ] as const
  for (const [operation, from, to] of pairs)
    test(`${operation} ${from} to ${to}`, async () => {
      const query = operation === 'merge' ? `output_format=${to}` : `input_format=${from}&output_format=${to}`
      const { options } = (await server.call('GET', `/v1/query/options/${operation}?${query}`)).json
      assert.ok(options.length > 0)
      const bytes =
        from === 'svg' ? svg('<rect width="9" height="9"/>') : await picture(from === 'jpg' ? 'jpeg' : from, 12, 12)
      const { id } = await imported(bytes, `a.${from}`)
      const input = operation === 'merge' ? [id, id] : id
      const started: string[] = []
      for (const { name } of options)
        for (const poison of POISON) {
          const body = { input, output_format: to, options: { [name]: poison } }
          const answer = await server.call('POST', `/v1/process/${operation}`, body)
          assert.ok([201, 400].includes(answer.status), `${name}=${JSON.stringify(poison)}: ${answer.text}`)
          if (answer.status === 201) started.push(answer.json.id)
          else assert.equal(answer.json.errors[0].path, `options.${name}`, answer.text)
        }
      for (const one of started) {
        const task = await ended('tasks', one, BOUND)
        if (task.status === 'failed') assertClear(task)
      }
      assert.deepEqual(web.hits, [])
    })

  test('a filename and a format are poisoned as little', async () => {
    const { id } = await imported(photo)
    for (const poison of POISON) {
      const answer = await server.call('POST', '/v1/process/convert', { input: id, output_format: poison.slice(0, 32) })
      assert.equal(answer.status, 400, answer.text)
      const claimed = await server.call('POST', '/v1/process/convert', {
        input: id,
        input_format: poison.slice(0, 32),
        output_format: 'jpg',
      })
      if (claimed.status === 201) assertClear(await ended('tasks', claimed.json.id, BOUND))
    }
  })
})

describe('addresses that lead inside', () => {
  const { port } = web
  for (const url of [
    `http://127.0.0.1:${port}/x`,
    `http://localhost:${port}/x`,
    `http://127.1:${port}/x`,
    `http://2130706433:${port}/x`,
    `http://0x7f000001:${port}/x`,
    `http://0177.0.0.1:${port}/x`,
    `http://0.0.0.0:${port}/x`,
    `http://[::1]:${port}/x`,
    `http://[::ffff:127.0.0.1]:${port}/x`,
    `http://[::ffff:7f00:1]:${port}/x`,
    `HTTP://LOCALHOST:${port}/x`,
    `http://127.0.0.1.:${port}/x`,
    `http://①②⑦.⓪.⓪.①:${port}/x`,
    `http://user@127.0.0.1:${port}/x`,
    `http://example.com@127.0.0.1:${port}/x`,
    `http:\\\\127.0.0.1:${port}\\x`,
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://100.64.0.1/',
    'http://168.63.129.16/',
    'http://[fd00::1]/',
    'http://[64:ff9b::7f00:1]/',
    `https://localhost:${new URL(server.url).port}/health`,
  ])
    test(url.replace(/:\d{4,5}(?=[/\\])/, ':port'), async () => {
      const task = await run('import/url', { url })
      assertClear(task)
      assert.deepEqual(web.hits, [])
    })
})

test('after all this the service is well: nothing crashed, nothing is stuck, nothing was reached', async () => {
  const health = async (): Promise<Shown> => (await server.call('GET', '/health')).json
  assert.equal((await health()).status, 'ok')
  assert.equal(server.child.exitCode, null)
  // A place is free once the work was cleaned up, a moment after the news of its end.
  const isIdle = ({ queue }: Shown): boolean =>
    Object.values<Shown>(queue).every(({ waiting, running }) => waiting + running === 0)
  await until(async () => isIdle(await health()), 'no lane has work left')
  assert.deepEqual(web.hits, [])
  assert.equal((await convert(photo, 'a.png', 'jpg')).status, 'completed')
  assert.doesNotMatch(server.printed(), /"level":50|unhandled/i)
})
