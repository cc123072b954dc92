/** Letters as pages and text, by what is in the result: words, pictures, and nothing that calls anybody. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { engineContract } from '../../test/contract/engine.ts'
import { bench } from '../../test/support/bench.ts'
import { photo } from '../../test/support/samples.ts'
import { sniff } from '../catalog/sniff.ts'
import { letterOf } from './mail/letter.ts'
import { mail } from './mail.ts'

const workbench = await bench(mail)
const png = await photo(12, 8).png().toBuffer()

const letter = (...lines: readonly string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1')
const HEAD = [
  'From: =?iso-8859-1?q?Andr=E9?= <andre@example.org>',
  'To: you@example.org',
  'Subject: =?utf-8?b?R3LDvMOfZQ==?=\r\n =?utf-8?q?_from_here?=',
  'Date: Mon, 2 Jan 2023 10:00:00 +0100',
  'MIME-Version: 1.0',
]
const full = letter(
  ...HEAD,
  'Content-Type: multipart/mixed; boundary="outer"',
  '',
  'This is only for old programs.',
  '--outer',
  'Content-Type: multipart/related; boundary=middle',
  '',
  '--middle',
  'Content-Type: multipart/alternative; boundary="in ner"',
  '',
  '--in ner',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'The pl=C3=A4in w=',
  'ords',
  '--in ner',
  'Content-Type: text/html; charset="windows-1251"',
  'Content-Transfer-Encoding: 8bit',
  '',
  '<html><head><title>x</title><style>b{color:red}</style></head><body onload="x()"><b>\xcf\xf0\xe8\xe2\xe5\xf2</b>',
  '<img src="cid:pic@here" width=20><img src="http://127.0.0.1/track.png"><a href="https://example.org/">there</a></body></html>',
  '--in ner--',
  '--middle',
  'Content-Type: image/png',
  'Content-ID: <pic@here>',
  'Content-Transfer-Encoding: base64',
  '',
  png.toString('base64').replaceAll(/.{60}/g, '$&\r\n'),
  '--middle--',
  '--outer',
  'Content-Type: application/pdf; name="ignored.pdf"',
  "Content-Disposition: attachment; filename*0*=utf-8''caf%C3%A9%20; filename*1=menu.pdf",
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.alloc(3000).toString('base64'),
  '--outer--',
  '',
)

engineContract(mail, workbench, {
  files: { eml: full },
  opens: async (bytes, ext) => {
    assert.match(bytes.toString(), ext === 'html' ? /<b>Привет<\/b>/ : /The pläin words/)
  },
})

async function made(bytes: Buffer, to: 'html' | 'txt') {
  assert.equal(sniff(bytes, 'letter.eml').format, 'eml')
  const { files, told } = await workbench.make('convert', { ext: 'eml', bytes }, to)
  return { text: String(files[0]), told }
}

describe('a letter', () => {
  it('says who wrote to whom, and what came along', async () => {
    const { text, told } = await made(full, 'txt')
    assert.match(text, /^From: André <andre@example\.org>\nTo: you@example\.org\n/)
    assert.match(text, /\nSubject: Grüße from here\n/)
    assert.match(text, /\nAttachments:\n- café menu\.pdf \(3 KB\)\n/)
    assert.doesNotMatch(text, /old programs/)
    assert.equal(told.attachments_left_out, 1)
  })

  it('has its own pictures in their places, and those of the web nowhere', async () => {
    const { text, told } = await made(full, 'html')
    const [, picture = ''] = /<img src="data:image\/png;base64,([^"]*)" width="20">/.exec(text) ?? []
    assert.ok(Buffer.from(picture, 'base64').equals(png))
    assert.doesNotMatch(text, /127\.0\.0\.1|onload|old programs/)
    assert.match(text, /<a href="https:\/\/example\.org\/">there<\/a>/)
    assert.match(text, /Content-Security-Policy" content="default-src 'none'/)
    assert.deepEqual(told, { attachments_left_out: 1, remote_pictures_left_out: 1 })
  })

  it('of plain text keeps its lines and its signs', async () => {
    const bytes = letter(...HEAD, '', 'one <b> & two', '  three', '')
    assert.match((await made(bytes, 'html')).text, /<pre>one &lt;b&gt; &amp; two\r?\n {2}three<\/pre>/)
    assert.match((await made(bytes, 'txt')).text, /\n\none <b> & two\n {2}three\n/)
  })

  it('that is a page only becomes words', async () => {
    const page = '<p>First&nbsp;&eacute;&#233;</p><style>p{}</style><script>no()</script><p>Second<br>third</p>'
    const { text } = await made(letter(...HEAD, 'Content-Type: text/html', '', page), 'txt')
    assert.match(text, /First &eacute;é\n+Second\nthird\n$/)
    assert.doesNotMatch(text, /no\(\)|p\{/)
  })
})

describe('a letter that means no good', () => {
  const html = (body: string) => made(letter(...HEAD, 'Content-Type: text/html; charset=utf-8', '', body), 'html')
  const BAD = {
    'a script': '<script>bad()</script>',
    'a script in other letters': '<ScRiPt >bad()</sCrIpT >',
    'an unclosed script': '<script>bad()',
    'a handler': '<img src=x onerror="bad()">',
    'a handler behind a quoted bracket': `<img title=">" onerror=bad() src='http://evil/'>`,
    'a link that runs': '<a href="javascript:bad()">x</a>',
    'a frame': '<iframe srcdoc="<script>bad()</script>" src="//evil/"></iframe>',
    'a page that leads elsewhere': '<meta title="<" http-equiv=refresh content="0;url=http://evil/bad()">',
    'a base': '<base href="http://evil/">',
    'a style that fetches': '<style>@import "http://evil/";</style><p style="background:url(http://evil/)">x</p>',
    'a drawing that runs': '<svg><script>bad()</script></svg>',
    'a picture that is a page': '<img src="data:text/html,bad()">',
    'a form': '<form action="http://evil/"><input name=bad()></form>',
  }
  for (const [what, body] of Object.entries(BAD))
    it(`does nothing by ${what}`, async () => {
      assert.doesNotMatch((await html(`${body}<p>Still</p>`)).text, /bad\(\)|evil/)
    })

  it('ends, however its parts are nested or never closed', async () => {
    const nested = Array.from({ length: 500 }, () => ['Content-Type: multipart/mixed; boundary=b', '', '--b']).flat()
    const { text } = await made(letter(...HEAD, ...nested, '', 'deep'), 'txt')
    assert.match(text, /^From: /)
    const open = '<a '.repeat(50_000) + '<!--'.repeat(50_000) + '<script'.repeat(50_000)
    await html(open)
  })

  it('is refused when it shows a picture until it is too large', async () => {
    const big = Buffer.alloc(2 ** 20).toString('base64')
    const bytes = letter(
      ...HEAD,
      'Content-Type: multipart/related; boundary=b',
      '',
      '--b',
      'Content-Type: text/html',
      '',
      '<img src="cid:a">'.repeat(1000),
      '--b',
      'Content-Type: image/png',
      'Content-ID: <a>',
      'Content-Transfer-Encoding: base64',
      '',
      big,
      '--b--',
    )
    await assert.rejects(made(bytes, 'html'), /would become too large/)
  })

  it('never breaks the reader, whatever it holds', () => {
    const line = fc.constantFrom(
      ...full.toString('latin1').split('\r\n'),
      '--b',
      'Content-Type: multipart/x; boundary=b',
      '',
    )
    fc.assert(
      fc.property(
        fc.array(fc.oneof(line, fc.string()), { maxLength: 40 }),
        fc.constantFrom('html', 'txt'),
        (lines, to) => {
          assert.ok(letterOf(lines.join('\n'), to === 'html' ? 'html' : 'txt').text.length > 0)
        },
      ),
      { numRuns: 200 },
    )
  })
})
