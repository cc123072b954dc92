/**
 * Data in one notation as another: JSON, YAML, XML and tables. Nothing is guessed: texts stay texts unless it is asked for, and
 * long numbers keep every digit. Comments have no place in the others. The work is done in a box: data/worker.ts.
 */
import { join } from 'node:path'
import type { Capability, Engine, Work } from '../catalog/engine.ts'
import type { Ext } from '../catalog/formats.ts'
import { type OptionSet, option, options } from '../catalog/option.ts'
import { csv_delimiter, csv_input_delimiter } from '../catalog/vocabulary/office.ts'
import { Failure } from '../core/errors.ts'
import type { Delimiter } from './data/table.ts'
import { codeOfFile } from './kit/encoding.ts'
import { nodeResident } from './resident/node.ts'

const MB = 2 ** 20
const MOST_BYTES = 64 * MB
/** As a tree in memory it is forty times as large. */
const MOST_XML = 32 * MB

const worker = nodeResident({
  id: 'data',
  files: ['data/worker', 'data/shape', 'data/table', 'data/xml', 'data/xml-text', 'resident/inside'],
  module: 'yaml',
  recycleAfter: 500,
  timeout: 60_000,
  limits: { memory: 2048 * MB, addressSpace: null, processes: 32, file: 512 * MB, tmp: 16 * MB },
})

const data_indent = option.integer({
  label: 'Indent',
  hint: 'Spaces before what is nested; 0 writes JSON in one line. YAML has 2 at least.',
  min: 0,
  max: 8,
  default: 2,
})
const data_sort_keys = option.boolean({
  label: 'Sort names',
  hint: 'Names within records are put in order.',
  default: false,
})
const csv_header = option.boolean({
  label: 'Names in the first row',
  hint: 'The first row of the table names its columns. Off: rows are lists of values.',
  default: true,
})
const csv_types = option.boolean({
  label: 'Numbers as numbers',
  hint: 'Values like 12 and true become numbers and truth values. Off: every value is text.',
  default: false,
})

const xml_attributes = option.boolean({
  label: 'Attributes',
  hint: 'Attributes become values whose names begin with @. Off: they are left out.',
  default: true,
})
const xml_types = option.boolean({ ...csv_types, default: false })
/** A name of XML, of letters that need no thought. */
const name = (label: string, hint: string, usual: string) =>
  option.string({
    ...{ label, hint, default: usual, more: true, maxLength: 60 },
    ...{ pattern: /[A-Za-z_][\w.-]*/, expects: 'a name that begins with a letter' },
  })
const xml_root = name('Outermost element', 'Its name, where the data has not one name for all of it.', 'root')
const xml_item = name('Elements of lists', 'Their name, where a list has none.', 'item')

const named = { xml_root, xml_item }
const ofXml = { xml_attributes, xml_types }
const written = { data_indent, data_sort_keys }
const ofTables = { csv_header, csv_types }

interface Wishes {
  readonly data_indent?: number
  readonly data_sort_keys?: boolean
  readonly csv_header?: boolean
  readonly csv_types?: boolean
  readonly csv_delimiter?: string
  readonly csv_input_delimiter?: string
  readonly xml_attributes?: boolean
  readonly xml_types?: boolean
  readonly xml_root?: string
  readonly xml_item?: string
}
type Hop = Pick<Work, 'ask' | 'input' | 'dir' | 'to'> & { options: Wishes }

const LETTERS: Readonly<Record<string, Delimiter>> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|', colon: ':' }

async function convert(work: Hop): Promise<readonly string[]> {
  const { input, to, options: wishes } = work
  const most = input.format === 'xml' ? MOST_XML : MOST_BYTES
  if (input.size > most) throw new Failure('processing_failed', `"${input.filename}" is larger than ${most / MB} MB.`)
  const question = {
    ...{ from: input.format, to, code: (await codeOfFile(input.path)) ?? 'utf-8' },
    ...{ indent: wishes.data_indent ?? 0, sorted: wishes.data_sort_keys ?? false },
    ...{ header: wishes.csv_header ?? true, types: wishes.csv_types ?? wishes.xml_types ?? false },
    ...{ attributes: wishes.xml_attributes ?? true, root: wishes.xml_root ?? '', item: wishes.xml_item ?? '' },
    delimiter: LETTERS[wishes.csv_delimiter ?? wishes.csv_input_delimiter ?? ''] ?? null,
  }
  const name = `out.${to}`
  const answer = await work.ask(worker, question, input.path, join(work.dir, name))
  if (answer.problem === undefined) return [name]
  const words = typeof answer.words === 'string' ? answer.words : `"${input.filename}" could not be read.`
  throw new Failure('processing_failed', words, typeof answer.detail === 'string' ? answer.detail : '')
}

const way = <S extends OptionSet>(
  from: readonly Ext[],
  to: readonly Ext[],
  set: S,
  run: (work: Work<S>) => Promise<readonly string[]>,
): Capability<S> => ({ does: 'convert', from, to, cost: 1, options: set, run })

export const data: Engine = {
  id: 'data',
  title: 'Data',
  tools: [{ program: 'yaml' }, { program: '@rgrove/parse-xml' }],
  residents: [worker],
  can: [
    way(['json'], ['yaml'], options(written), convert),
    way(['yaml'], ['json'], options(written), convert),
    way(['csv'], ['json', 'yaml'], options({ ...written, ...ofTables, csv_input_delimiter }), convert),
    way(['tsv'], ['json', 'yaml'], options({ ...written, ...ofTables }), convert),
    way(['json', 'yaml'], ['csv'], options({ csv_header, csv_delimiter, data_sort_keys }), convert),
    way(['json', 'yaml'], ['tsv'], options({ csv_header, data_sort_keys }), convert),
    way(['xml'], ['json', 'yaml'], options({ ...written, ...ofXml }), convert),
    way(['xml'], ['csv'], options({ csv_header, csv_delimiter, data_sort_keys, xml_attributes }), convert),
    way(['xml'], ['tsv'], options({ csv_header, data_sort_keys, xml_attributes }), convert),
    way(['json', 'yaml'], ['xml'], options({ ...written, ...named }), convert),
    way(['csv'], ['xml'], options({ ...written, csv_header, csv_input_delimiter, ...named }), convert),
    way(['tsv'], ['xml'], options({ ...written, csv_header, ...named }), convert),
  ],
}
