import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, type Made } from '../../test/support/bench.ts'
import { bookmarksOf, drawn } from '../../test/support/pdf-look.ts'
import { pdfFact, pdfWords, soundPdf } from '../../test/support/sample-pdf.ts'
import { colourAt, near } from '../../test/support/samples.ts'
import { archiveOf, SHOWY } from '../../test/support/web-pages.ts'
import { checkEngines } from '../catalog/check.ts'
import { chromium } from './chromium.ts'

const table = await bench(chromium)
const xhtml =
  '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title></head><body><p>Text</p></body></html>'
const files = { html: Buffer.from(SHOWY), xhtml: Buffer.from(xhtml), mhtml: archiveOf(SHOWY) }
const PICTURES = ['png', 'jpg', 'webp'] as const
/** A small window: what is to be seen is all in it, and pictures of it are quick. */
const SMALL = { viewport_width: 400, viewport_height: 300, full_page: false }

const only = ({ files: [file] }: Made): Buffer => file ?? Buffer.alloc(0)
const make = async (html: string, to: 'pdf' | 'png', given: Record<string, unknown> = {}): Promise<Buffer> =>
  only(await table.make('convert', { ext: 'html', bytes: Buffer.from(html) }, to, given))

engineContract(chromium, table, {
  files,
  async opens(bytes, ext) {
    if (ext === 'pdf') await soundPdf(bytes)
    else assert.ok((await sharp(bytes).stats()).channels.length >= 3)
  },
})

it('the declarations hold together', () => assert.deepEqual(checkEngines([chromium]), []))

const words = (made: Made): Promise<string> => pdfWords(only(made))
const says = (text: string) => async (made: Made) => (await words(made)).includes(text)
const fact = (name: string) => (made: Made) => pdfFact(only(made), name)
/** Of a place in CSS pixels, in a picture of 1280 pixels. */
const at = (x: number, y: number) => async (made: Made) => {
  const { width = 1, height = 1 } = await sharp(only(made)).metadata()
  const colour = await colourAt(only(made), (x + 0.5) / width, (y + 0.5) / height)
  return (
    ['#ff0000', '#00ff00', '#0000ff', '#ff8800', '#ff00ff', '#ffffff'].find((one) => near(colour, one, 40)) ?? colour
  )
}
/** Of a place in points of the first sheet, without a margin. */
const onSheet = (x: number, y: number) => async (made: Made) => {
  const picture = await drawn(only(made))
  const { width = 1, height = 1 } = await sharp(picture).metadata()
  return colourAt(picture, x / width, y / height)
}
const size = async (made: Made) => {
  const { width, height } = await sharp(only(made)).metadata()
  return [width, height]
}

optionProofs(chromium, table, {
  files,
  proofs: {
    viewport_width: [
      proof({ on: { to: ['pdf'] }, given: 1200, see: says('wide'), shows: true }),
      proof({ on: { to: PICTURES }, given: 200, with: SMALL, see: size, shows: [200, 300] }),
    ],
    viewport_height: [
      proof({
        on: { to: ['pdf'] },
        given: 3600,
        with: { page_size: 'auto', margin: '0' },
        see: async (made) => Math.round(Number((await fact('Page size')(made))?.split(' ')[2])),
        shows: 2701,
      }),
      proof({ on: { to: PICTURES }, given: 200, with: SMALL, see: size, shows: [400, 200] }),
    ],
    initial_delay: [
      proof({
        on: { to: ['pdf'] },
        given: '3.5',
        with: { margin: '0' },
        see: async (made) => near(await onSheet(100, 70)(made), '#ff8800'),
        shows: true,
      }),
      proof({ on: { to: PICTURES }, given: '3.5', with: SMALL, see: at(100, 90), shows: '#ff8800' }),
    ],
    hide_cookie: [
      proof({ on: { to: ['pdf'] }, given: true, see: says('We use cookies'), shows: false }),
      proof({ on: { to: PICTURES }, given: 'true', with: SMALL, see: at(200, 240), shows: '#ffffff' }),
    ],
    use_print_stylesheet: [
      proof({ on: { to: ['pdf'] }, given: true, see: says('paper-styles'), shows: true }),
      proof({ on: { to: PICTURES }, given: true, with: SMALL, see: at(100, 30), shows: '#00ff00' }),
    ],
    javascript: [
      proof({ on: { to: ['pdf'] }, given: false, see: says('without script'), shows: true }),
      proof({
        on: { to: PICTURES },
        sample: Buffer.from('<script>document.documentElement.style.background = "#f00"</script>'),
        given: 'false',
        with: SMALL,
        see: at(5, 5),
        shows: '#ffffff',
      }),
    ],
    load_timeout: proof({
      // A script that takes its time.
      sample: Buffer.from('<p>in time<script>for (const end = Date.now() + 500; Date.now() < end; ) {}</script>'),
      given: 60,
      without: 0.2,
      elseFails: true,
      see: (made) => only(made).length > 0,
    }),
    page_size: proof({ given: 'letter', see: fact('Page size'), shows: '612 x 792 pts (letter)' }),
    page_orientation: proof({ given: 'landscape', see: fact('Page size'), shows: '841.92 x 595.92 pts (A4)' }),
    margin: proof({
      given: '0px',
      see: async (made) => near(await onSheet(3, 3)(made), '#0000ff'),
      shows: true,
    }),
    scale: proof({ given: 40, see: fact('Pages'), shows: '1' }),
    print_background: proof({
      given: false,
      with: { margin: '0' },
      see: async (made) => near(await onSheet(100, 20)(made), '#0000ff'),
      shows: false,
    }),
    header_footer: proof({ given: true, see: says('1 / 2'), shows: true }),
    page_range: proof({ given: '2', see: fact('Pages'), shows: '1' }),
    pdf_bookmarks: proof({ given: false, see: async (made) => (await bookmarksOf(only(made))).length, shows: 0 }),
    full_page: proof({
      given: true,
      with: { ...SMALL, device_scale_factor: 0.5 },
      without: false,
      see: async (made) => (await size(made))[1] ?? 0,
      shows: (whole, part) => assert.ok(whole > 800 && part === 150),
    }),
    device_scale_factor: proof({ given: 2, with: SMALL, see: size, shows: [800, 600] }),
    transparent_background: proof({
      given: true,
      with: SMALL,
      see: async (made) => (await sharp(only(made)).stats()).isOpaque,
      shows: false,
    }),
    quality: proof({
      given: 5,
      with: SMALL,
      see: (made) => only(made).length,
      shows: (changed, usual) => assert.ok(changed < usual),
    }),
  },
})

describe('the size of sheets', () => {
  it('auto makes one page as long as the content', async () => {
    const pdf = await make(SHOWY, 'pdf', { page_size: 'auto', margin: '0', viewport_width: 960 })
    assert.equal(await pdfFact(pdf, 'Pages'), '1')
    const [width = '', , height = ''] = (await pdfFact(pdf, 'Page size'))?.split(' ') ?? []
    assert.equal(Math.round(Number(width)), 720)
    assert.ok(Number(height) > 1200 && Number(height) < 1500, height)
  })

  it('css is what the page says', async () => {
    const pdf = await make('<style>@page { size: 10cm 5cm }</style>a', 'pdf', { page_size: 'css' })
    assert.match((await pdfFact(pdf, 'Page size')) ?? '', /^28[23]\.\d+ x 14[12]\.\d+ pts/)
  })

  it('leaves a fault in words when the margins cover the sheet', async () => {
    await assert.rejects(make('a', 'pdf', { page_size: 'a6', margin: '9cm' }), /margins leave no room/)
  })

  it('refuses pages that are not there', async () => {
    await assert.rejects(make('a', 'pdf', { page_range: '7-9' }), /page_range/)
  })
})

describe('pages', () => {
  it('are read in the code they are written in', async () => {
    const told = Buffer.from('<meta charset="iso-8859-1"><p>caf\xe9', 'latin1')
    const pdf = only(await table.make('convert', { ext: 'html', bytes: told }, 'pdf'))
    assert.match(await pdfWords(pdf), /café/)
    assert.match(await pdfWords(await make('<p>Grüße, žluťoučký', 'pdf')), /Grüße, žluťoučký/)
  })

  it('keep links to the web and within, not those to neighbours of the file', async () => {
    const pdf = await make(
      '<a href="https://example.org/x">a</a> <a href="next.html">b</a> <a href="#c">c</a><p id=c>',
      'pdf',
    )
    const text = pdf.toString('latin1')
    assert.match(text, /example\.org\/x/)
    assert.doesNotMatch(text, /page\.invalid|next\.html/)
  })

  it('show pictures that wait to be scrolled to', async () => {
    const red = await sharp({ create: { width: 50, height: 50, channels: 3, background: '#f00' } })
      .png()
      .toBuffer()
    const html = `<body style="margin:0"><div style="height:6000px"></div><img loading="lazy" src="data:image/png;base64,${red.toString('base64')}">`
    const png = await make(html, 'png')
    const { height = 0 } = await sharp(png).metadata()
    assert.ok(near(await colourAt(png, 0.01, (height - 30) / height), '#ff0000'))
  })

  it('that are not well-formed are shown all the same', async () => {
    const bytes = Buffer.from(
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>first<br><p>second & last</body></html>',
    )
    const words = await pdfWords(only(await table.make('convert', { ext: 'xhtml', bytes }, 'pdf')))
    assert.match(words, /^first second & last$/)
  })

  it('lose what asks for consent to cookies, and nothing else', async () => {
    const html = `<style>html, body { overflow: hidden; height: 100% } .bar { position: fixed; left: 0; right: 0 }</style>
      <div class="bar" style="top: 0">Menu <a href="#">Cookie recipes</a></div>
      <p>About cookies, an article.</p>
      <div class="bar x1" style="bottom: 0">We and our partners use cookies. <button>Accept all</button></div>
      <div class="bar" style="inset: 0; background: #0008"></div>
      <div id="host"></div><p style="margin-top: 3000px">The end</p>
      <script>document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML =
        '<div id="cookie-consent" style="position: fixed; top: 50%">Cookies? <button>Yes</button></div>'</script>`
    const words = await pdfWords(await make(html, 'pdf', { hide_cookie: true }))
    assert.match(words, /About cookies, an article. Menu Cookie recipes/)
    assert.match(words, /The end/)
    assert.doesNotMatch(words, /partners|Cookies\?/)
  })

  it('of an archive have what the archive holds', async () => {
    const bytes = archiveOf('<link rel="stylesheet" href="a.css"><p>Text', {
      'https://example.org/a.css': ['text/css', Buffer.from('html { background: #00f }')],
    })
    const png = only(await table.make('convert', { ext: 'mhtml', bytes }, 'png', { full_page: false }))
    assert.ok(near(await colourAt(png, 0.5, 0.9), '#0000ff'))
  })
})

describe('pages that do not want to be shown', () => {
  it('end when a script does not', async () => {
    await assert.rejects(make('<script>for (;;) {}</script>', 'pdf', { load_timeout: 0.5 }), {
      errorCode: 'engine_timeout',
    })
    assert.match(await pdfWords(await make('<p>next', 'pdf')), /next/)
  })

  it('may talk, open windows and go away without harm', async () => {
    const html = `<p>still here<script>alert(1); confirm(2); prompt(3); open('https://example.org/'); onbeforeunload = () => 'no'
      location = 'https://example.org/'; print()</script>`
    assert.match(await pdfWords(await make(html, 'pdf')), /still here/)
  })

  it('find nothing of the page before, and nobody who listens', async () => {
    const leaves = `<p>first<script>
      localStorage.left = 'stored'; sessionStorage.left = 'stored'; document.cookie = 'left=stored'; name = 'stored'
      const speak = (where) => { const all = new where.BroadcastChannel('ours'); setInterval(() => all.postMessage('stored'), 5) }
      const popup = open('about:blank'); if (popup) popup.eval('(' + speak + ')(window)'); speak(window)
      new SharedWorker(URL.createObjectURL(new Blob(['(' + speak + ')(self)'])))
      caches.open('left').then((cache) => cache.put('/left', new Response('stored')))
      indexedDB.open('left').onupgradeneeded = ({ target }) => target.result.createObjectStore('stored')
    </script>`
    const looks = `<p id="seen"><script>
      let seen = [localStorage.left, sessionStorage.left, document.cookie, name]
      const show = () => { document.querySelector('#seen').textContent = 'seen: ' + JSON.stringify(seen) }
      new BroadcastChannel('ours').onmessage = ({ data }) => { seen.push(data); show() }
      Promise.all([caches.keys(), indexedDB.databases()]).then((found) => { seen.push(...found.flat()); show() })
    </script>`
    assert.match(await pdfWords(await make(leaves, 'pdf', { initial_delay: 0.5 })), /first/)
    assert.match(await pdfWords(await make(looks, 'pdf', { initial_delay: 2 })), /seen: \[null,null,"",""\]/)
  })

  it('hold up the next only for a moment when they go on for ever', async () => {
    const busy = '<p>shown<script>onload = () => setTimeout(() => { onafterprint = () => { for (;;) {} } })</script>'
    assert.match(await pdfWords(await make(busy, 'pdf')), /shown/)
    assert.match(await pdfWords(await make('<p>next', 'pdf')), /next/)
  })

  it('may be too tall for a picture, and that is said', async () => {
    await assert.rejects(make('<div style="height:3000000px">', 'png'), /3000016 pixels/)
  })

  it('may be too long for paper, and that is said', async () => {
    await assert.rejects(make('<div style="height:30000000px">', 'pdf'), /would fill about \d+ sheets/)
  })

  it('cost only themselves when they bring the browser down', async () => {
    const bomb = '<script>const all = []; for (;;) all.push(new Uint8Array(1e8).fill(1))</script>'
    await assert.rejects(make(bomb, 'pdf'), { name: 'Failure' })
    assert.match(await pdfWords(await make('<p>next', 'pdf')), /next/)
  })
})
