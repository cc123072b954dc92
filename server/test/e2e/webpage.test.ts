/**
 * Web pages through the whole service: what is kept of them, what they may not reach, and how it is said when they cannot
 * be had. The pages are on 127.0.0.1, which is allowed here; whatever lies on 127.0.0.2 is not.
 */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { chmod, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import sharp from 'sharp'
import { serveFiles } from '../support/file-server.ts'
import { pdfFact, pdfWords } from '../support/sample-pdf.ts'
import { colourAt, near } from '../support/samples.ts'
import { startServer } from '../support/server.ts'
import { type Shown, stepsOn } from '../support/steps.ts'
import { tempDir } from '../support/temp-dir.ts'

const CANARY = `canary-${randomBytes(8).toString('hex')}`
const place = await tempDir()
await chmod(place.path, 0o755)
const canaryFile = join(place.path, 'canary.html')
await writeFile(canaryFile, CANARY, { mode: 0o644 })

const solid = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 50, height: 50, channels: 3, background } })
    .png()
    .toBuffer()

const canary = await serveFiles({ '/': Buffer.from(CANARY), '/red.png': await solid('#f00') }, '127.0.0.2')

type Answerer = (request: IncomingMessage, response: ServerResponse) => void
const page =
  (html: string, headers: Record<string, string> = {}): Answerer =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html)
const file =
  (type: string, bytes: Uint8Array | string, headers: Record<string, string> = {}): Answerer =>
  (_, response) =>
    response.writeHead(200, { 'content-type': type, ...headers }).end(bytes)
const moved =
  (location: string): Answerer =>
  (_, response) =>
    response.writeHead(302, { location }).end()

const article = `<!doctype html><title>An article</title><link rel="stylesheet" href="/style.css">
  <body><p id="block"></p><p id="styles"></p><p>Words of the article. <span id="late">not yet</span></p>
  <img src="/blue.png" srcset="/blue.png 1x, /never.png 2x"><div style="height: 6000px"></div>
  <img loading="lazy" src="/green.png"><p>The end.</p>
  <canvas width="50" height="50" style="position: absolute; left: 600px; top: 100px"></canvas>
  <div id="onetrust-banner-sdk" style="position: fixed; bottom: 0; left: 0; right: 0; background: #f00">We value your privacy <button>OK</button></div>
  <script>const brush = document.querySelector('canvas').getContext('2d'); brush.fillStyle = '#f0f'; brush.fillRect(0, 0, 50, 50)
  setTimeout(() => { document.getElementById('late').textContent = 'made by a script' }, 100)</script>`

const greedy = `<title>Greedy</title><p>greedy</p><img src="${canary.url}/red.png"><iframe src="${canary.url}/"></iframe>
  <link rel="stylesheet" href="${canary.url}/a.css"><link rel="prefetch" href="${canary.url}/b"><link rel="preconnect" href="${canary.url}">
  <img src="/to-canary.png"><object data="${canary.url}/c"></object><video src="${canary.url}/d" poster="${canary.url}/e"></video>
  <iframe src="file://${canaryFile}"></iframe><iframe src="file:///etc/passwd"></iframe>
  <script>
    const tell = (text) => document.body.append(' ' + text)
    fetch('${canary.url}/').then((r) => r.text()).then((t) => tell('got ' + t), () => tell('fetch refused'))
    fetch('${canary.url}/', { mode: 'no-cors' }).catch(() => tell('opaque refused'))
    new WebSocket('ws://127.0.0.2:${canary.port}/').onerror = () => tell('socket refused')
    new EventSource('${canary.url}/events').onerror = (e) => { e.target.close(); tell('events refused') }
    navigator.sendBeacon('${canary.url}/beacon', 'x')
    new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.2:${canary.port}' }] }).createDataChannel('x')
    window.open('${canary.url}/window')
    new Worker(URL.createObjectURL(new Blob(['fetch("${canary.url}/worker")'])))
  </script>`

const huge = (response: ServerResponse): void => {
  const chunk = Buffer.alloc(1 << 20)
  const more = (): void => {
    while (!response.destroyed && response.write(chunk)) {}
  }
  response.writeHead(200, { 'content-type': 'application/octet-stream' }).on('drain', more)
  more()
}

const web = await serveFiles({
  '/article': page(article),
  '/style.css': file(
    'text/css',
    '#block { height: 60px; background: #00f } #styles::after { content: "for the screen" } @media print { #styles::after { content: "for paper" } }',
  ),
  '/blue.png': await solid('#00f').then((bytes) => file('image/png', bytes)),
  '/green.png': await solid('#0f0').then((bytes) => file('image/png', bytes)),
  '/moved': moved('/article'),
  '/moved-inside': moved(`${canary.url}/`),
  '/to-canary.png': moved(`${canary.url}/red.png`),
  '/scripted-inside': page(`<script>location = '${canary.url}/'</script>`),
  '/refreshed-inside': page(`<title>Waiting</title><meta http-equiv="refresh" content="0;url=${canary.url}/">`),
  '/round': moved('/round'),
  '/broken': (_, response) => response.writeHead(500, { 'content-type': 'text/html' }).end('<p>oh no'),
  '/locked': ({ headers: { authorization } }, response) => {
    if (authorization === `Basic ${btoa('user:secret')}`)
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>open')
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end('who?')
  },
  '/forbidden': (_, response) => response.writeHead(403).end('no'),
  '/silent': null,
  '/endless': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    const drip = setInterval(() => response.write('<p>more</p>'), 50)
    response.on('close', () => clearInterval(drip))
  },
  '/partly': page(
    '<title>Partly</title><p>what there is</p><script>setTimeout(() => { document.title = "Late" }, 100)</script>',
  ),
  '/download': file('application/octet-stream', 'bytes', { 'content-disposition': 'attachment; filename="a.bin"' }),
  '/greedy': page(greedy),
  '/huge': page(`<p>huge<script>const x = new XMLHttpRequest(); x.open('GET', '/huge.bin', false); x.send()</script>`),
  '/huge.bin': (_, response) => huge(response),
  '/socket': page(
    `<p id="said">nothing<script>new WebSocket('ws://' + location.host + '/ws').onopen = () => { said.textContent = 'socket open' }</script>`,
  ),
  '/worker': page(
    `<p>page<script>navigator.serviceWorker?.register('/sw.js').then(() => document.body.append('registered'), (e) => document.body.append('no worker'))</script>`,
  ),
  '/sw.js': file('text/javascript', `self.addEventListener('install', () => fetch('${canary.url}/from-worker'))`),
  '/talkative': page('<p>quiet<script>alert(1); confirm(2); onbeforeunload = () => "stay"; print()</script>'),
})
web.server.on('upgrade', (request, socket) => {
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  socket
    .on('error', () => {})
    .on('end', () => socket.end())
    .resume()
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
  )
})

const server = await startServer({ env: { REFORGE_ALLOW_PRIVATE_CIDRS: '127.0.0.1/32' } })
after(async () => {
  await server[Symbol.asyncDispose]()
  await web[Symbol.asyncDispose]()
  await canary[Symbol.asyncDispose]()
  await place.remove()
})
const { create, run, done, ended, send, download } = stepsOn(server)

const kept = (path: string, more = {}): Promise<Shown> => done('import/webpage', { url: web.url + path, ...more })
async function shown(task: Shown, output_format: string, options = {}): Promise<Buffer> {
  const made = await done('convert', { input: task.id, output_format, options })
  return download(made.result.url)
}
const wordsOf = async (task: Shown, options = {}): Promise<string> => pdfWords(await shown(task, 'pdf', options))

describe('a web page', () => {
  test('is kept as one file, with all that was seen of it', async () => {
    const task = await kept('/article')
    assert.equal(task.result.format, 'mhtml')
    assert.match(task.result.filename, /article\.mhtml$/)
    assert.equal(task.result.page.title, 'An article')
    const before = web.hits.length
    const words = await wordsOf(task)
    assert.match(words, /Words of the article\. made by a script/)
    assert.match(words, /The end/)
    assert.match(words, /We value your privacy/)
    const png = await shown(task, 'png', { hide_cookie: true })
    const { width = 0, height = 0 } = await sharp(png).metadata()
    assert.equal(width, 1280)
    assert.ok(height > 6000)
    assert.ok(near(await colourAt(png, 0.5, 50 / height), '#0000ff'), 'its style sheet holds')
    assert.ok(near(await colourAt(png, 30 / width, (height - 80) / height), '#00ff00'), 'its last picture is there')
    assert.ok(near(await colourAt(png, 620 / width, 120 / height), '#ff00ff'), 'what a script has drawn is there')
    assert.equal(web.hits.length, before, 'nothing is fetched again')
  })

  test('becomes what is asked for, by the options of pages', async () => {
    const task = await kept('/article')
    const paper = {
      use_print_stylesheet: true,
      hide_cookie: 'true',
      page_size: 'letter',
      page_orientation: 'landscape',
      margin: '0px',
      initial_delay: '0',
    }
    const pdf = await shown(task, 'pdf', paper)
    assert.match((await pdfFact(pdf, 'Page size')) ?? '', /^792 x 612/)
    assert.match(await pdfWords(pdf), /for paper/)
    assert.doesNotMatch(await pdfWords(pdf), /privacy/)
    for (const to of ['jpg', 'webp']) {
      const { width, height } = await sharp(
        await shown(task, to, { viewport_width: 500, viewport_height: 400, full_page: false }),
      ).metadata()
      assert.deepEqual([width, height], [500, 400])
    }
    // With the other density the browser would choose another picture, which was never fetched.
    const sharper = await shown(task, 'png', { device_scale_factor: 2, full_page: false })
    assert.ok(near(await colourAt(sharper, 30 / 1280, 185 / 800), '#0000ff'))
  })

  test('comes within a job, and hides its banner when it is imported', async () => {
    const job = await create('jobs', {
      tasks: {
        page: { operation: 'import/webpage', url: `${web.url}/article`, hide_cookie: true, filename: 'mine' },
        pdf: { operation: 'convert', input: 'page', output_format: 'pdf' },
        out: { operation: 'export/url', input: 'pdf' },
      },
    })
    const { status, tasks } = await ended('jobs', job.id)
    assert.equal(status, 'completed')
    const { result } = tasks.find(({ name }: Shown) => name === 'out')
    assert.equal(result.filename, 'mine.pdf')
    assert.doesNotMatch(await pdfWords(await download(result.url)), /privacy/)
  })

  test('is found where a redirect leads', async () => {
    const { result } = await kept('/moved')
    assert.equal(result.page.url, `${web.url}/article`)
  })

  test('may speak over a WebSocket', async () => {
    assert.match(await wordsOf(await kept('/socket', { initial_delay: 1 })), /socket open/)
  })

  test('may open dialogs, which nobody answers', async () => {
    assert.match(await wordsOf(await kept('/talkative')), /quiet/)
  })

  test('is waited for, as long as asked', async () => {
    const { result } = await kept('/partly', { initial_delay: '1.5', viewport_width: '800' })
    assert.equal(result.page.title, 'Late')
  })
})

describe('a web page that cannot be had', { concurrency: 3 }, () => {
  const cases: Record<string, [path: string, code: string, words: RegExp]> = {
    'because it does not exist': ['/nowhere', 'processing_failed', /status 404/],
    'because its server fails': ['/broken', 'processing_failed', /status 500/],
    'because it wants a password': ['/locked', 'invalid_credentials', /status 401/],
    'because it is forbidden': ['/forbidden', 'insufficient_permission', /status 403/],
    'because it is a file to download': ['/download', 'processing_failed', /file to download.*import\/url/],
    'because it never ends': ['/endless', 'engine_timeout', /did not finish loading within 2 seconds/],
    'because its server is silent': ['/silent', 'engine_timeout', /did not finish loading within 2 seconds/],
    'because it redirects in a circle': ['/round', 'processing_failed', /redirects too many times/],
    'because it redirects to a private address': [
      '/moved-inside',
      'processing_failed',
      /127\.0\.0\.1 redirects to an address that may not be reached/,
    ],
    'because it is too large': ['/huge', 'processing_failed', /larger than the 100 MB/],
  }
  for (const [why, [path, code, words]] of Object.entries(cases))
    test(why, async () => {
      const { status, result } = await run('import/webpage', {
        url: web.url + path,
        load_timeout: code === 'engine_timeout' ? 2 : 60,
      })
      assert.equal(status, 'failed')
      assert.match(result.msg, words)
      assert.equal(result.errorCode, code)
      assert.deepEqual(canary.hits, [])
    })

  test('because its address is private or wrong', async () => {
    for (const url of [`${canary.url}/`, 'http://[::1]/']) {
      const { status, result } = await run('import/webpage', { url })
      assert.equal(status, 'failed')
      assert.match(result.msg, /not at a public address/, url)
    }
    assert.deepEqual(canary.hits, [])
    for (const url of [
      'file:///etc/passwd',
      'ftp://example.org/',
      'javascript:1',
      'nonsense',
      'chrome://version',
      'data:text/html,a',
      'view-source:http://127.0.0.1/',
    ])
      assert.equal((await server.call('POST', '/v1/process/import/webpage', { url })).status, 400, url)
    for (const wrong of [
      { viewport_width: 5 },
      { initial_delay: 'soon' },
      { load_timeout: 1000 },
      { hide_cookie: 'perhaps' },
    ])
      assert.equal((await server.call('POST', '/v1/process/import/webpage', { url: web.url, ...wrong })).status, 400)
  })
})

describe('a hostile web page', { concurrency: 3 }, () => {
  test('reaches nothing that is not allowed', async () => {
    const task = await kept('/greedy', { initial_delay: 2 })
    const words = await wordsOf(task)
    assert.match(words, /greedy/)
    for (const refused of ['fetch refused', 'opaque refused', 'socket refused'])
      assert.match(words, new RegExp(refused))
    const archive = await download(task.result.url)
    assert.equal(archive.includes(CANARY) || words.includes(CANARY), false)
    assert.doesNotMatch(words, /root:/)
    assert.deepEqual(canary.hits, [])
  })

  for (const path of ['/scripted-inside', '/refreshed-inside'])
    test(`cannot send its visitor inside: ${path}`, async () => {
      const { status, result } = await run('import/webpage', { url: web.url + path })
      assert.equal(status, 'failed')
      assert.match(result.msg, /127\.0\.0\.1 redirects to an address that may not be reached/)
      assert.deepEqual(canary.hits, [])
    })

  test('cannot leave a worker behind that reaches inside', async () => {
    assert.match(await wordsOf(await kept('/worker')), /page/)
    assert.deepEqual(canary.hits, [])
  })

  test('opens with the credentials of its address, which are not shown again', async () => {
    const task = await create('import/webpage', { url: `http://user:secret@127.0.0.1:${web.port}/locked` })
    const end = await ended('tasks', task.id)
    assert.equal(end.status, 'completed')
    assert.doesNotMatch(
      JSON.stringify([task, end, await server.call('GET', `/v1/process/tasks/${task.id}?include=payload`)]),
      /secret/,
    )
  })
})

describe('hostile pages that are uploaded', () => {
  const script = (code: string): string => `<p>harmless</p><script>${code}</script>`
  const read = (url: string): string =>
    script(`fetch('${url}').then((r) => r.text()).then((t) => document.body.append(t), () => {})
      const x = new XMLHttpRequest(); x.open('GET', '${url}', false); try { x.send(); document.body.append(x.responseText) } catch {}`)
  const cases: Record<string, string> = {
    'a frame of a file': `<p>harmless</p><iframe src="file://${canaryFile}"></iframe><object data="file://${canaryFile}"></object><embed src="file:///etc/passwd">`,
    'a script that reads a file': read(`file://${canaryFile}`),
    'a script that asks loopback': read(`${web.url}/article`),
    'a script that asks a private address': read(`${canary.url}/`),
    'a refresh to a file': `<p>harmless</p><meta http-equiv="refresh" content="0;url=file://${canaryFile}">`,
    'a refresh to loopback': `<p>harmless</p><meta http-equiv="refresh" content="0;url=${canary.url}/">`,
    'a script that leaves': script(`location = '${canary.url}/'`),
    'a form that sends itself': `<p>harmless</p><form action="${canary.url}/" method="post"><input name="a"></form><script>document.forms[0].submit()</script>`,
    'pictures, styles and fonts from outside': `<p>harmless</p><img src="${canary.url}/red.png"><style>@import url(${canary.url}/a.css); @font-face { font-family: x; src: url(${canary.url}/f) } p { font-family: x; background: url(${canary.url}/b) }</style>`,
    'a base elsewhere': `<base href="${canary.url}/"><p>harmless</p><img src="red.png"><iframe src="/"></iframe>`,
    'a socket': script(`new WebSocket('ws://127.0.0.2:${canary.port}/')`),
    'a window': script(`window.open('${canary.url}/'); window.open('file://${canaryFile}')`),
    'a frame that holds another': `<p>harmless</p><iframe srcdoc="<iframe src='${canary.url}/'></iframe><script>fetch('${canary.url}/')</script>"></iframe>`,
  }
  for (const [what, html] of Object.entries(cases))
    test(what, async () => {
      const before = web.hits.length
      const upload = await create('import/upload')
      const { id } = await create('convert', {
        input: upload.id,
        output_format: 'pdf',
        options: { initial_delay: '0.1' },
      })
      await send(upload, Buffer.from(`<!doctype html><title>x</title>${html}`), 'page.html')
      const task = await ended('tasks', id)
      assert.equal(task.status, 'completed', JSON.stringify(task.result))
      const words = await pdfWords(await download(task.result.url))
      assert.match(words, /harmless/)
      assert.doesNotMatch(words, new RegExp(`${CANARY}|root:|Words of the article`))
      assert.deepEqual(canary.hits, [])
      assert.equal(web.hits.length, before)
    })
})
