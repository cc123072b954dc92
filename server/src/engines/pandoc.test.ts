import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, it } from 'node:test'
import { engineContract } from '../../test/contract/engine.ts'
import { bench } from '../../test/support/bench.ts'
import { bodyOf, documents, PIXEL } from '../../test/support/books.ts'
import { within } from '../../test/support/unzipped.ts'
import { zipOf } from '../../test/support/zip-of.ts'
import { checkEngines } from '../catalog/check.ts'
import type { Ext } from '../catalog/formats.ts'
import { pandoc } from './pandoc.ts'

const table = await bench(pandoc)
const files = await documents()

const make = async (ext: Ext, text: string | Uint8Array, to: Ext, filename = `sample.${ext}`) => {
  const made = await table.make('convert', { ext, bytes: Buffer.from(text), filename }, to)
  return { body: bodyOf(made.files[0]!, to), bytes: made.files[0]!, told: made.told }
}

engineContract(pandoc, table, {
  files,
  async opens(bytes, ext) {
    if (ext === 'ipynb') JSON.parse(bytes.toString())
    assert.match(bodyOf(bytes, ext).replaceAll(/<[^>]*>|\\\w+ ?/g, ''), /First\schapter/i)
  },
})

it('the declarations hold together', () => assert.deepEqual(checkEngines([pandoc]), []))

describe('pictures in a document', () => {
  it('travel with it into formats that can hold them', async () => {
    for (const from of ['docx', 'odt', 'epub', 'fb2', 'html', 'md'] as const) {
      if (from !== 'html') assert.ok((await make(from, files[from]!, 'html')).body.includes(PIXEL), from)
      if (from !== 'md') assert.ok((await make(from, files[from]!, 'md')).body.includes(PIXEL), from)
    }
    const { bytes } = await make('html', files.html!, 'docx')
    assert.deepEqual(within(bytes, /^word\/media\/.*png$/), Buffer.from(PIXEL, 'base64').toString())
  })

  it('are named when they could not', async () => {
    const { body, told } = await make('docx', files.docx!, 'rst')
    assert.doesNotMatch(body, /image::|figure::/)
    assert.match(String(told.pictures_left_out), /^media\/.*png$/)
    for (const place of ['photos/a.png', '/photos/a.png', 'https://example.com/a.png']) {
      const { told: away } = await make('md', `# Hello\n\n![a](${place})\n`, 'docx')
      assert.deepEqual(away.pictures_left_out, [place])
    }
  })
})

describe('texts', () => {
  it('may be in other codes than UTF-8', async () => {
    const said = 'Grüße aus Köln'
    const codes = [Buffer.from(said, 'latin1'), Buffer.from(`\ufeff${said}`, 'utf16le'), Buffer.from(`\ufeff${said}`)]
    for (const bytes of codes) assert.match((await make('md', bytes, 'html')).body, /<p>Grüße aus Köln<\/p>/)
    const page = Buffer.from('<meta charset="windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>', 'latin1')
    assert.match((await make('html', page, 'md')).body, /Привет/)
  })

  it('without a title have that of their file', async () => {
    assert.match((await make('md', 'Hello', 'html', 'My notes.md')).body, /<title>My notes<\/title>/)
    const { bytes } = await make('md', 'Hello', 'epub', 'My notes.md')
    assert.match(within(bytes, /\.opf$/), /<dc:title[^>]*>My notes</)
    assert.doesNotMatch((await make('md', '---\ntitle: T\n---\n', 'html', 'My notes.md')).body, /My notes/)
  })

  it('become clean Markdown, whatever they were wrapped in', async () => {
    assert.doesNotMatch((await make('epub', files.epub!, 'md')).body, /<(?:div|span)/)
  })
})

describe('a document that cannot be read', () => {
  const fails = (ext: Ext, bytes: Uint8Array, says: RegExp): Promise<void> =>
    assert.rejects(table.make('convert', { ext, bytes }, 'md'), says)

  it('is called damaged', async () => {
    for (const ext of ['docx', 'odt', 'epub'] as const) {
      await fails(ext, files[ext]!.subarray(0, 900), /"sample\.\w+" could not be read: it is damaged/)
      await fails(ext, zipOf({ 'a.txt': Buffer.from('no document') }), /"sample\.\w+" could not be read/)
    }
    await fails('ipynb', Buffer.from('{"cells": 1}'), /not a readable notebook/)
    await fails('tex', Buffer.from('\\begin{document}\n\\begin{itemize}\n'), /line \d+ is not as its format asks for/)
  })

  it('is called empty where it is', () => fails('html', Buffer.from('<html></html>'), /"sample\.html" holds no text/))

  it('is refused by what it says it unpacks to', async () => {
    const bomb = Buffer.from(zipOf({ 'word/document.xml': Buffer.alloc(100) }))
    bomb.writeUInt32LE(0x7fff_ffff, bomb.lastIndexOf('PK\x01\x02', undefined, 'latin1') + 24)
    await fails('docx', bomb, /unpacks to 2048 MB/)
  })
})

describe('what a document asks for', () => {
  const ASKS: readonly (readonly [Ext, string])[] = [
    ['rst', '.. include:: {}\n\n.. image:: {}\n'],
    ['rst', '.. csv-table:: T\n   :file: {}\n'],
    ['org', '#+INCLUDE: "{}"\n\n[[{}]]\n'],
    [
      'tex',
      '\\documentclass{article}\\begin{document}a \\input{{}} \\include{{}} \\includegraphics{{}}\\end{document}',
    ],
    ['md', '---\ncss: "{}"\nbibliography: "{}"\n---\n![a]({})\n\n<img src="{}">\n'],
    ['html', '<base href="{}"><link rel=stylesheet href="{}"><p>a</p><img src="{}"><iframe src="{}"></iframe>'],
  ]
  const all = (bytes: Buffer, to: Ext): string => (to === 'txt' ? `${bytes}` : within(bytes, /./))
  const outcome = async (ext: Ext, text: string, to: Ext): Promise<string> =>
    make(ext, text, to).then(
      ({ bytes }) => all(bytes, to),
      (error: Error) => error.message,
    )

  it('is not read from other files', async () => {
    // It is there, and readable for all: only the box keeps it away.
    const canary = new URL('../../../package.json', import.meta.url).pathname
    for (const [ext, text] of ASKS) {
      for (const to of ['txt', 'docx'] as const)
        assert.doesNotMatch(await outcome(ext, text.replaceAll('{}', canary), to), /workspaces/, `${ext} to ${to}`)
    }
  })

  it('is not fetched from an address', async () => {
    let asked = 0
    const server = createServer((socket) => {
      asked += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    for (const [ext, text] of ASKS) await outcome(ext, text.replaceAll('{}', `http://127.0.0.1:${port}/a.png`), 'docx')
    server.close()
    assert.equal(asked, 0)
  })

  it('is named when it is another file', async () => {
    const [, table] = ASKS[1]!
    assert.equal(await outcome('rst', table, 'txt'), '"sample.rst" needs another file, which was not sent.')
  })
})
