import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { bareName, numbered, resultName, splitName } from './filename.ts'

const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom('.', '/', '\\', ' ', 'a', 'é', '\0', ':', 'con', '.pdf', '😀', '\u202e'),
    maxLength: 300,
  }),
)

describe('bareName', () => {
  const cases: [string, string][] = [
    ['photo.jpg', 'photo.jpg'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\cat.png', 'cat.png'],
    ['C:cat.png', 'cat.png'],
    ['/', 'file'],
    ['', 'file'],
    ['.', 'file'],
    ['..', 'file'],
    ['a/..', 'a'],
    ['dir/', 'dir'],
    ['.htaccess', 'htaccess'],
    ['CON', '_CON'],
    ['con.png', '_con.png'],
    ['nul.tar.gz', '_nul.tar.gz'],
    ['console.png', 'console.png'],
    ['a\0b\r\nc.txt', 'abc.txt'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['what?.txt', 'what_.txt'],
    ['file.txt:stream', 'file.txt_stream'],
    ['trailing. . ', 'trailing'],
    ['  two words .pdf', 'two words.pdf'],
    ['año – 文書.pdf', 'año – 文書.pdf'],
    ['$(id).png', '$(id).png'],
  ]
  for (const [given, wanted] of cases) {
    it(`makes ${JSON.stringify(wanted)} of ${JSON.stringify(given)}`, () => assert.equal(bareName(given), wanted))
  }

  it('keeps the extension of a long name, in at most 200 bytes', () => {
    const name = bareName(`${'é'.repeat(300)}.jpeg`)
    assert.ok(name.endsWith('é.jpeg'))
    assert.ok(Buffer.byteLength(name) <= 200)
  })

  it('always makes a name that can be kept, and makes no other of its own', () => {
    fc.assert(
      fc.property(anyName, (given) => {
        const name = bareName(given)
        assert.ok(name.length > 0 && Buffer.byteLength(name) <= 201, name)
        assert.doesNotMatch(name, /[/\\\0-\x1f\x7f:*?"<>|\u202e]/)
        assert.doesNotMatch(name, /^[. ]|[. ]$/)
        assert.doesNotMatch(name, /^(con|nul|aux|prn)(\.|$)/i)
        assert.equal(bareName(name), name)
      }),
      { numRuns: 500 },
    )
  })
})

describe('resultName', () => {
  const known = new Map([
    ...['jpg', 'png', 'pdf', 'docx', 'tiff'].map((e) => [e, e] as const),
    ['jpeg', 'jpg'],
    ['tif', 'tiff'],
  ])
  const knows = (ext: string) => known.get(ext) ?? null
  const cases: [string, string | undefined, string][] = [
    ['cat.jpg', undefined, 'cat.png'],
    ['cat', undefined, 'cat.png'],
    ['cat.jpg', 'dog', 'dog.png'],
    ['cat.jpg', 'dog.png', 'dog.png'],
    ['cat.jpg', 'dog.PNG', 'dog.PNG'],
    ['cat.jpg', 'dog.JPEG', 'dog.png'],
    ['cat.jpg', 'v1.2', 'v1.2.png'],
    ['cat.jpg', 'report.final', 'report.final.png'],
    ['cat.jpg', '../x/dog.pdf', 'dog.png'],
    ['cat.jpg', '', 'cat.png'],
    ['cat.jpg', '..', 'file.png'],
    ['.jpg', undefined, 'jpg.png'],
  ]
  for (const [base, given, wanted] of cases) {
    it(`calls ${base} as png, asked for ${given ?? 'nothing'}, ${wanted}`, () =>
      assert.equal(resultName(base, 'png', given, knows), wanted))
  }

  it('keeps another spelling of the same format, where it can tell', () => {
    assert.equal(resultName('scan.png', 'tiff', 'scan.tif', knows), 'scan.tif')
    assert.equal(
      resultName('scan.png', 'tiff', 'scan.tif', () => true),
      'scan.tiff',
    )
  })

  it('always ends in the extension and stays a bare name', () => {
    fc.assert(
      fc.property(anyName, fc.option(anyName, { nil: undefined }), (base, given) => {
        const name = resultName(base, 'png', given, knows)
        assert.equal(splitName(name).ext.toLowerCase(), 'png')
        assert.equal(bareName(name), name)
      }),
    )
  })
})

describe('numbered', () => {
  it('counts before the extension', () => {
    assert.equal(numbered('page.png', 1), 'page-1.png')
    assert.equal(numbered('page', 12), 'page-12')
  })

  it('gives different names for different numbers, however long the name', () => {
    const name = bareName(`${'x'.repeat(400)}.png`)
    assert.notEqual(numbered(name, 1), numbered(name, 2))
    assert.ok(Buffer.byteLength(numbered(name, 1000)) <= 200)
  })
})
