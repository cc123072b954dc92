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

const ROWS = [Object.keys(records[0]!), ...records.map((record) => Object.values(record).map(String))]
const YAML =
  /^- name: Zoë, "the first"\n {2}count: "?2"?\n {2}id: "007"\n- name: \|-\n {4}two\n {4}lines\n {2}count: "?12"?\n {2}id: ""\n$/

engineContract(data, table, {
  files,
  async opens(bytes, ext) {
    if (ext === 'yaml') assert.match(`${bytes}`, YAML)
    else if (ext === 'json')
      assert.equal(JSON.stringify(JSON.parse(`${bytes}`)).replaceAll(/"count":"(\d+)"/g, '"count":$1'), json)
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
      proof({ on: { to: ['csv', 'tsv'] }, given: false, see: (made) => text(made).includes('name'), shows: false }),
      proof({ given: false, see: (made) => /^- - name|^\[\s*\[/.test(text(made)), shows: true }),
    ],
    csv_types: proof({
      given: true,
      see: (made) => /count"?: 12\b/.test(text(made)) && /"007"/.test(text(made)),
      shows: true,
    }),
    csv_delimiter: proof({ given: 'semicolon', see: ({ files: [made] }) => pythonRows(made!, ';'), shows: ROWS }),
    csv_input_delimiter: proof({ given: 'comma', see: (made) => text(made).includes('name;count'), shows: true }),
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
