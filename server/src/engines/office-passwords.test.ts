/** Documents with a password: made with one, and opened with it only. What is made is read by LibreOffice. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { WHOLE } from '../../test/contract/engine.ts'
import { pages } from '../../test/support/apple-office.ts'
import { bench } from '../../test/support/bench.ts'
import { sheetsOf, slidesOf, textOf } from '../../test/support/flat-office.ts'
import { partsOf, wordsOfPdf } from '../../test/support/office-look.ts'
import { vsdx } from '../../test/support/visio.ts'
import { zipOf } from '../../test/support/zip-of.ts'
import type { Ext } from '../catalog/formats.ts'
import { sniff } from '../catalog/sniff.ts'
import { office } from './office.ts'

const { make } = await bench(office)

async function made(ext: Ext, to: Ext, options: Record<string, unknown>, bytes: Buffer): Promise<Buffer> {
  const { files } = await make('convert', { ext, bytes }, to, options)
  assert.ok(files[0])
  return files[0]
}

const SOURCES: readonly (readonly [from: Ext, bytes: Buffer, ...to: Ext[]])[] = [
  ['fodt', textOf(['Secret words']), 'odt', 'docx', 'doc'],
  ['fods', sheetsOf({ A: [['Secret words']] }), 'ods', 'xlsx', 'xls'],
  ['fodp', slidesOf([{ words: 'Secret words' }]), 'odp', 'pptx'],
  ['vsdx', vsdx('Secret words'), 'odg'],
  ['csv', Buffer.from('Secret words\n'), 'xlsx'],
]
/** Every opening takes its time: one of each kind of lock stands for the others, and is tried with a wrong key too. */
const KINDS: readonly Ext[] = ['odt', 'docx', 'xls']

describe('a document with a new password', () => {
  for (const [from, bytes, ...targets] of SOURCES)
    for (const to of targets.filter((each) => WHOLE || KINDS.includes(each)))
      it(`opens with it, and with no other: ${from} as ${to}`, async () => {
        const locked = await made(from, to, { document_new_password: 'n\u00f6t yours' }, bytes)
        await assert.rejects(made(to, 'pdf', {}, locked), /protected by a password.*document_password/)
        if (KINDS.includes(to))
          await assert.rejects(
            made(to, 'pdf', { document_password: 'not yours' }, locked),
            /document_password does not open/,
          )
        const opened = await made(to, 'pdf', { document_password: 'n\u00f6t yours' }, locked)
        assert.match(await wordsOfPdf(opened), /Secret words/)
        if (to.startsWith('od')) assert.match(partsOf(locked)['META-INF/manifest.xml'] ?? '', /aes256-cbc/)
        if (to.endsWith('x')) assert.deepEqual(sniff(locked, `x.${to}`), { format: to, sure: true, encrypted: true })
      })
})

describe('a document of Apple with a password', () => {
  const says = /"sample\.pages" is protected by a password.*cannot be opened here/
  const fails = (bytes: Buffer): Promise<void> => assert.rejects(made('pages', 'pdf', {}, bytes), says)

  it('is refused in words', async () => {
    const old = pages('Secret words')
    old.writeUInt16LE(25_452, old.indexOf('PK\x01\x02', 0, 'latin1') + 10)
    await fails(old)
    await fails(zipOf({ '.iwpv2': Buffer.alloc(8), 'Index/Document.iwa': Buffer.alloc(8) }))
  })
})
