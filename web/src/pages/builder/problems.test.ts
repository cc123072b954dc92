import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Draft, draftOf, EMPTY } from './draft.ts'
import { incoming } from './formats.ts'
import { type Catalog, problemsOf } from './problems.ts'

const REQUIRED: Record<string, string[]> = {
  'import/url': ['url'],
  convert: ['input', 'output_format'],
  merge: ['input', 'output_format'],
  'export/url': ['input'],
}
const TARGETS: Record<string, string[]> = { '*': ['jpg', 'pdf'], png: ['jpg', 'pdf'], mp3: [], pdf: ['jpg'] }
const FORMATS = new Map([
  ['png', 'png'],
  ['jpg', 'jpg'],
  ['jpeg', 'jpg'],
  ['pdf', 'pdf'],
  ['mp3', 'mp3'],
])

function found(tasks: object, files: Record<string, string> = {}): string[] {
  const draft: Draft = draftOf({ tasks }) ?? EMPTY
  const names = new Map(draft.steps.flatMap(({ id, name }) => (files[name] ? [[id, files[name]] as const] : [])))
  const catalog: Catalog = {
    required: (operation) => REQUIRED[operation] ?? [],
    targets: (_operation, from = '*') => TARGETS[from] && new Set(TARGETS[from]),
    incoming: (step) => incoming({ draft, files: names, known: FORMATS }, step),
    canonical: (format) => FORMATS.get(format) ?? format,
  }
  return problemsOf(draft, catalog).map(({ step, kind, about, mild }) =>
    [draft.steps.find(({ id }) => id === step)?.name, kind, ...about, mild ? 'mild' : []].flat().join(' '),
  )
}

const upload = { operation: 'import/upload' }
const link = (url: string) => ({ operation: 'import/url', url })
const convert = (input: string | string[], output_format?: string) => ({ operation: 'convert', input, output_format })
const out = (input: string) => ({ operation: 'export/url', input })

const CASES: [string, object, string[], Record<string, string>?][] = [
  ['a whole job has none', { in: upload, work: convert('in', 'jpg'), out: out('work') }, []],
  ['an empty draft says so', {}, [' empty']],
  ['a required field is named', { in: { operation: 'import/url' }, out: out('in') }, ['in missing url']],
  ['an export needs an input', { out: { operation: 'export/url' } }, ['out noInput']],
  ['a convert needs a target', { in: upload, work: convert('in'), out: out('work') }, ['work noFormat']],
  ['a name has letters only', { 'a b': upload, out: out('a b') }, ['a b badName']],
  ['what nobody takes is mild', { in: upload }, ['in unused mild']],
  [
    'one file is no merge',
    { in: upload, all: { operation: 'merge', input: 'in', output_format: 'pdf' }, out: out('all') },
    ['all fewInputs'],
  ],
  ['a circle is seen', { a: convert('b', 'pdf'), b: convert('a', 'jpg') }, ['a circle', 'b circle']],
  ['a target nobody makes', { in: upload, work: convert('in', 'mp3'), out: out('work') }, ['work cannot convert mp3']],
  [
    'a link’s ending may deceive, so it is mild',
    { in: link('https://example.org/a.mp3?b'), work: convert('in', 'jpg'), out: out('work') },
    ['work cannotWork convert mp3 mild'],
  ],
  [
    'what an earlier step makes is certain',
    { in: upload, first: convert('in', 'pdf'), work: convert('first', 'pdf'), out: out('work') },
    ['work cannotFrom pdf pdf'],
  ],
  ['other names of a format count', { in: upload, work: convert('in', 'jpeg'), out: out('work') }, [], { in: 'a.PNG' }],
]

for (const [name, tasks, expected, files] of CASES) test(name, () => assert.deepEqual(found(tasks, files), expected))
