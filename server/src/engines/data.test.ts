import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, type Made } from '../../test/support/bench.ts'
import { checkEngines } from '../catalog/check.ts'
import type { Ext } from '../catalog/formats.ts'
import { delimiterOf, rowsOf, tableOf } from './data/table.ts'
import { data } from './data.ts'

const table = await bench(data)
const records = [
  { name: 'Zoë, "the first"', count: 2, id: '007' },
  { name: 'two\nlines', count: 12, id: '' },
]
const json = JSON.stringify(records)
const files = {
  json: Buffer.from(json),
  yaml: Buffer.from(
    '# all of them\n- &a {name: "Zoë, \\"the first\\"", count: 2, id: "007"}\n- name: |-\n    two\n    lines\n  count: 12\n  id: ""\n',
  ),
  csv: Buffer.from('name;count;id\r\n"Zoë, ""the first""";2;007\r\n"two\nlines";12;\r\n'),
  xml: Buffer.from(
    '<?xml version="1.0"?>\n<!-- all of them -->\n<records>\n  <record><name>Zoë, &quot;the first&quot;</name><count>2</count><id><![CDATA[007]]></id></record>\n  <record><name>two\nlines</name><count>12</count><id/></record>\n</records>\n',
  ),
  tsv: Buffer.from('name\tcount\tid\n"Zoë, ""the first"""\t2\t007\n"two\nlines"\t12\t\n'),
}

const make = async (ext: Ext, text: string | Uint8Array, to: Ext, given = {}): Promise<string> => {
  const made = await table.make('convert', { ext, bytes: Buffer.from(text) }, to, given)
  return `${made.files[0]}`
}
const fails = (ext: Ext, text: string, to: Ext, says: RegExp): Promise<void> =>
  assert.rejects(make(ext, text, to), says)

/** What Python's own reader finds in a table. */
const PYTHON =
  'import csv,json,sys,io;print(json.dumps(list(csv.reader(io.StringIO(sys.stdin.buffer.read().decode(),newline=""),delimiter=sys.argv[1]))))'
const pythonRows = (bytes: Uint8Array, delimiter: string): string[][] =>
  JSON.parse(`${execFileSync('/usr/bin/python3', ['-c', PYTHON, delimiter], { input: bytes, timeout: 30_000 })}`)

/** What Python's own reader finds in XML: names and texts of each element in the outermost, and attributes. */
const XML_PYTHON =
  'import json,sys;from xml.etree import ElementTree as E;r=E.fromstring(sys.stdin.buffer.read());print(json.dumps([r.tag,r.attrib,[[c.tag,c.attrib,[[g.tag,g.text or ""] for g in c]] for c in r]]))'
const pythonXml = (text: string | Uint8Array): unknown =>
  JSON.parse(`${execFileSync('/usr/bin/python3', ['-c', XML_PYTHON], { input: text, timeout: 30_000 })}`)
const asXml = (root: string, item: string): unknown => [
  root,
  {},
  records.map((record) => [item, {}, Object.entries(record).map(([key, value]) => [key, String(value)])]),
]

const ROWS = [Object.keys(records[0]!), ...records.map((record) => Object.values(record).map(String))]
const YAML =
  /^- name: Zoë, "the first"\n {2}count: "?2"?\n {2}id: "007"\n- name: \|-\n {4}two\n {4}lines\n {2}count: "?12"?\n {2}id: ""\n$/

/** Out of XML, they are within the elements they were in. */
const within = (yaml: string): string =>
  yaml.startsWith('records:\n  record:\n') ? yaml.replace(/^.*\n.*\n/, '').replaceAll(/^ {4}/gm, '') : yaml
const bare = (made: { records?: { record: unknown } }): unknown => made.records?.record ?? made

engineContract(data, table, {
  files,
  async opens(bytes, ext) {
    if (ext === 'xml') return assert.deepEqual(pythonXml(bytes), asXml('root', 'item'))
    if (ext === 'yaml') assert.match(within(`${bytes}`), YAML)
    else if (ext === 'json')
      assert.equal(JSON.stringify(bare(JSON.parse(`${bytes}`))).replaceAll(/"count":"(\d+)"/g, '"count":$1'), json)
    else assert.deepEqual(pythonRows(bytes, ext === 'csv' ? ',' : '\t'), ROWS)
  },
})

const text = ({ files: [made] }: Made): string => `${made}`
const indent = (made: Made): number | undefined => /^ +/m.exec(text(made))?.[0].length
optionProofs(data, table, {
  files,
  proofs: {
    data_indent: [
      proof({ on: { from: ['json'] }, sample: Buffer.from('{"a":{"b":1}}'), given: 4, see: indent, shows: 4 }),
      proof({ given: 4, see: indent, shows: 4 }),
    ],
    data_sort_keys: proof({
      given: true,
      see: (made) => text(made).indexOf('count') < text(made).indexOf('name'),
      shows: true,
    }),
    csv_header: [
      proof({
        on: { to: ['csv', 'tsv', 'xml'] },
        given: false,
        see: (made) => /^name|<name/m.test(text(made)),
        shows: false,
      }),
      proof({ given: false, see: (made) => /^- - name|^\[\s*\[/.test(text(made)), shows: true }),
    ],
    csv_types: proof({
      given: true,
      see: (made) => /count"?: 12\b/.test(text(made)) && /"007"/.test(text(made)),
      shows: true,
    }),
    csv_delimiter: proof({ given: 'semicolon', see: ({ files: [made] }) => pythonRows(made!, ';'), shows: ROWS }),
    csv_input_delimiter: proof({ given: 'comma', see: (made) => /name[;_]count/.test(text(made)), shows: true }),
    xml_attributes: proof({
      sample: Buffer.from('<a><b c="1">x</b><b c="2">y</b></a>'),
      given: false,
      see: (made) => text(made).includes('@c'),
      shows: false,
    }),
    xml_types: proof({
      given: true,
      see: (made) => /count"?: 12\b/.test(text(made)) && /"007"/.test(text(made)),
      shows: true,
    }),
    xml_root: proof({ given: 'all', see: (made) => pythonXml(text(made)), shows: asXml('all', 'item') }),
    xml_item: proof({ given: 'one', see: (made) => pythonXml(text(made)), shows: asXml('root', 'one') }),
  },
})

it('the declarations hold together', () => assert.deepEqual(checkEngines([data]), []))

describe('nothing is lost', () => {
  it('of long numbers', async () => {
    const long = '{"a":12345678901234567890,"b":-1,"c":0.1}\n'
    assert.equal(await make('json', long, 'yaml'), 'a: 12345678901234567890\nb: -1\nc: 0.1\n')
    assert.equal(await make('yaml', 'a: 12345678901234567890\nb: -1\nc: 0.1\n', 'json', { data_indent: 0 }), long)
  })

  it('of texts that look like something else', async () => {
    const odd = ['no', 'null', '1e3', '~', '2020-01-01', '- a', '', ' a', '0x10', 'é', '\u0007']
    const yaml = await make('json', JSON.stringify(odd), 'yaml')
    assert.deepEqual(JSON.parse(await make('yaml', yaml, 'json')), odd)
  })

  it('of several documents, or of names that stand for others', async () => {
    assert.deepEqual(JSON.parse(await make('yaml', '---\na: &x [1]\nb: *x\n---\n2\n', 'json')), [{ a: [1], b: [1] }, 2])
  })

  it('of what is nested, in a table', async () => {
    assert.equal(
      await make('json', '[{"a":{"b":[1]},"c":null},{"d":true}]', 'csv'),
      'a,c,d\r\n"{""b"":[1]}",,\r\n,,true\r\n',
    )
  })

  it('of tables in other codes', async () => {
    for (const bytes of [
      Buffer.from('a\né\n', 'latin1'),
      Buffer.from('\ufeffa\né\n', 'utf16le'),
      Buffer.from('\ufeffa\né\n'),
    ])
      assert.deepEqual(JSON.parse(await make('csv', bytes, 'json')), [{ a: 'é' }])
  })
})

describe('XML', () => {
  const json = async (xml: string | Uint8Array, given = {}): Promise<unknown> =>
    JSON.parse(await make('xml', xml, 'json', given))

  it('becomes data with its attributes, texts and lists', async () => {
    const xml =
      '<?pi x?><a:b xmlns:a="u" n="1&#10;&lt;"> some <i/> words <c>1</c><c n="2">&#x41;<!-- no -->&amp;b</c></a:b>'
    assert.deepEqual(await json(xml), {
      'a:b': { '@xmlns:a': 'u', '@n': '1\n<', '#text': 'some words', i: '', c: ['1', { '@n': '2', '#text': 'A&b' }] },
    })
  })

  it('is written so that it reads the same', async () => {
    const value = {
      all: { '@id': 'a "b"\n<c>', '#text': 'x & y', e: '', one: ['1', { '@n': '2', in: ' kept ' }], é: 'ü' },
    }
    for (const data_indent of [0, 3])
      assert.deepEqual(await json(await make('json', JSON.stringify(value), 'xml', { data_indent })), value)
  })

  it('has names that it may have, and an element for everything', async () => {
    const xml = await make('json', '{"first name":1,"2":[[1,2],[]],"-":null}', 'xml', { data_indent: 0 })
    assert.match(xml, /<root><_2><item>1<\/item><item>2<\/item><\/_2><_2\/>/)
    assert.deepEqual(await json(xml), { root: { _2: [{ item: ['1', '2'] }, ''], first_name: '1', '_-': '' } })
  })

  it('is a table where it holds one list', async () => {
    const feed = '<rss><channel><title>t</title><item><a>1</a></item><item><a>2</a><b>3</b></item></channel></rss>'
    assert.equal(await make('xml', feed, 'csv'), 'a,b\r\n1,\r\n2,3\r\n')
    assert.equal(await make('xml', '<a><b>1</b><b>2</b></a>', 'tsv'), 'b\r\n1\r\n2\r\n')
    assert.equal(await make('xml', '<all><one><a>1</a><b>2</b></one></all>', 'csv'), 'a,b\r\n1,2\r\n')
    await fails('xml', '<a><b>1</b><b>2</b><c>1</c><c>2</c></a>', 'csv', /more than one list \("b", "c"\)/)
  })

  it('is read in the code it names', async () => {
    const says = (code: string): string => `<?xml version="1.0" encoding="${code}"?><a>é</a>`
    assert.deepEqual(await json(Buffer.from(says('ISO-8859-1'), 'latin1')), { a: 'é' })
    assert.deepEqual(await json(Buffer.from(`\ufeff${says('UTF-16')}`, 'utf16le')), { a: 'é' })
    assert.deepEqual(await json(says('UTF-8')), { a: 'é' })
    await fails('xml', says('x-no-such'), 'json', /written in "x-no-such"/)
  })

  it('that reaches for other files or unfolds without end is refused in words', async () => {
    const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
    const declared = /declares parts of its own .* not accepted/
    await fails('xml', `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]><a>&l9;</a>`, 'json', declared)
    await fails('xml', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', 'json', declared)
    await fails('xml', '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1/x.dtd"> %x;]><a/>', 'yaml', declared)
    await fails('xml', '<a>&x;</a>', 'json', /not XML: .*x/)
    await fails('xml', `${'<a>'.repeat(200_000)}`, 'json', /not XML|could not be read/)
    const plist = '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://127.0.0.1/x.dtd"><plist>v</plist>'
    assert.deepEqual(await json(plist), { plist: 'v' }, 'what is only named is not fetched')
  })

  it('that is none is refused with the reason, and so is what it cannot hold', async () => {
    await fails('xml', '<a><b></a>', 'json', /The file is not XML: .*line 1/)
    await fails('xml', '<a/><b/>', 'json', /The file is not XML/)
    await fails('json', '{"a":"\\u0007"}', 'xml', /cannot hold the character U\+0007/)
    assert.deepEqual(
      await json('<__proto__><constructor>x</constructor></__proto__>'),
      JSON.parse('{"__proto__":{"constructor":"x"}}'),
    )
  })
})

describe('data that cannot be converted', () => {
  it('is refused with the reason', async () => {
    await fails('json', '{"a":', 'yaml', /The file is not JSON/)
    await fails('yaml', 'a: [1\nb: }', 'json', /The file is not YAML: line \d/)
    await fails('yaml', 'a: .nan', 'json', /JSON has no number like NaN/)
    await fails('json', '{"a":1}', 'csv', /Only a list can become a table/)
    await fails('csv', 'a,a\n1,2\n', 'json', /two columns called "a"/)
    await fails('csv', 'a,b\n1,2,3\n', 'json', /Row 2 of the table has more values/)
  })

  it('is not unfolded for ever', async () => {
    const lists = Array.from(
      { length: 12 },
      (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(',')}]`,
    )
    await fails('yaml', ['a0: &a0 [x]', ...lists].join('\n'), 'json', /could not be read/)
  })
})

it('a table is read as it was written', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', 'é') })
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }))
  fc.assert(
    fc.property(rows, fc.constantFrom(',', ';', '\t', '|' as const), (given, delimiter) => {
      assert.deepEqual(rowsOf(tableOf(given, delimiter), delimiter), given)
    }),
  )
  assert.deepEqual(['a;"b,,,"', 'a\tb', 'a|b|c,d', 'a'].map(delimiterOf), [';', '\t', '|', ','])
})
