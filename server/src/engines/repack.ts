/**
 * Makes documents and books smaller that are ZIP files inside, and pages that hold their pictures: the pictures are encoded
 * anew, everything else is packed as well as it can be. Words and layout stay as they are. The work is done in a warm box: repack/worker.ts.
 */
import { join } from 'node:path'
import type { Capability, Engine, Work } from '../catalog/engine.ts'
import { type Ext, FORMATS } from '../catalog/formats.ts'
import { type OptionSet, option, options } from '../catalog/option.ts'
import { Failure } from '../core/errors.ts'
import type { JsonObject } from '../core/task.ts'
import { checkPacked } from './kit/packed.ts'
import { onlySmaller } from './kit/reach.ts'
import { bare } from './repack/bare.ts'
import type { PictureWish } from './repack/pictures.ts'
import { nodeResident } from './resident/node.ts'

const MB = 2 ** 20
/** All of it is in memory, and what is made of it too. */
const MOST_BYTES = 256 * MB

const worker = nodeResident({
  id: 'repack',
  files: [
    ...(['repack/worker', 'repack/pictures', 'repack/page', 'repack/zip'] as const),
    ...(['kit/page-pieces', 'resident/inside', 'kit/ladder'] as const),
  ],
  module: 'sharp',
  recycleAfter: 100,
  timeout: 300_000,
  limits: { memory: 2048 * MB, addressSpace: null, processes: 64, file: 512 * MB, tmp: 16 * MB },
})

const pictures = {
  quality: option.integer({
    hint: 'Quality of the pictures: from 1, small, to 100, best.',
    min: 1,
    max: 100,
    default: 75,
  }),
  document_image_longest: option.integer({
    label: 'Longest side of pictures',
    hint: 'Bigger pictures are made smaller, to so many pixels on their longer side.',
    units: 'px',
    min: 50,
    max: 20_000,
  }),
  strip: option.boolean({
    label: 'Remove metadata of pictures',
    hint: 'Removes places, dates and the like from the pictures.',
    default: true,
    neutral: false,
  }),
  compress_max_filesize: option.size({
    label: 'Largest size',
    hint: 'The result is not bigger than this, or the task fails and tells the smallest reachable size.',
    units: 'KB',
    unit: 'KB',
    min: 1000,
  }),
}
const document_anonymous = option.boolean({
  label: 'Remove author and dates',
  hint: 'Removes what the document says of its author, company and history.',
  default: false,
})
const ofDocuments = options({ ...pictures, document_anonymous })
const ofBooks = options(pictures)
const ofPages = options({
  ...pictures,
  strip: option.boolean({
    label: 'Remove comments and metadata',
    hint: 'Removes comments from the page, and places, dates and the like from its pictures.',
    default: true,
    neutral: false,
  }),
})

const DOCUMENTS: readonly Ext[] = [
  ...(['docx', 'docm', 'dotx', 'xlsx', 'xlsm', 'pptx', 'pptm', 'ppsx'] as const),
  ...(['odt', 'ott', 'ods', 'odp', 'odg'] as const),
]
const BOOKS: readonly Ext[] = ['epub', 'cbz']
const PAGES: readonly Ext[] = ['html']

interface Wishes {
  readonly quality: number
  readonly document_image_longest?: number | undefined
  readonly strip: boolean
  readonly compress_max_filesize?: number | undefined
  readonly document_anonymous?: boolean
}
type Hop = Pick<Work, 'ask' | 'input' | 'dir' | 'to' | 'tell'> & { options: Wishes }

const QUALITIES = [60, 45, 30, 20, 10]
const LONGEST = [2000, 1500, 1100, 800, 500, 300, 150]

/** What is tried for a size: first less quality, then fewer pixels, never more than was asked for. */
export function ladder({ quality, document_image_longest: asked, strip }: Wishes): PictureWish[] {
  const longest = asked ?? null
  const lesser = QUALITIES.filter((step) => step < quality)
  const least = Math.min(quality, 30)
  return [
    { quality, longest, strip },
    ...lesser.slice(0, 3).map((step) => ({ quality: step, longest, strip })),
    ...LONGEST.filter((step) => step < (longest ?? Number.POSITIVE_INFINITY)).map((step) => ({
      ...{ quality: step > 500 ? least : Math.min(quality, 10), longest: step, strip },
    })),
  ]
}

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 100) / 10} KB`

function problem({ problem: kind, smallest, detail }: JsonObject, { input, options: { compress_max_filesize } }: Hop) {
  const { filename, format } = input
  const words: Record<string, string> = {
    signed: `"${filename}" is signed; a smaller one would no longer be what was signed.`,
    'too-big': `"${filename}" cannot be made as small as ${kilobytes(compress_max_filesize ?? 0)}; the smallest reachable size is ${kilobytes(Number(smallest))}.`,
  }
  const unreadable = `"${filename}" is not a readable ${FORMATS[format].title} file: it is damaged, locked or incomplete.`
  return new Failure('processing_failed', words[String(kind)] ?? unreadable, typeof detail === 'string' ? detail : '')
}

async function compress(work: Hop): Promise<readonly string[]> {
  const { input, to, options: wishes } = work
  if (input.size > MOST_BYTES)
    throw new Failure('processing_failed', `"${input.filename}" is larger than ${MOST_BYTES / MB} MB.`)
  const page = PAGES.includes(input.format)
  if (!page) await checkPacked(input)
  const name = `out.${to}`
  const most = wishes.compress_max_filesize ?? null
  const instead = wishes.document_anonymous ? bare(input.format) : []
  const question = { steps: ladder(wishes).map((step) => ({ ...step })), most, instead, page }
  const answer = await work.ask(worker, question, input.path, join(work.dir, name))
  if (answer.problem !== undefined) throw problem(answer, work)
  if (typeof answer.pictures === 'number') work.tell('pictures_compressed', answer.pictures)
  return [await onlySmaller(work, name, instead.length > 0)]
}

const way = <S extends OptionSet>(
  from: readonly Ext[],
  set: S,
  run: (work: Work<S>) => Promise<readonly string[]>,
): Capability<S> => ({ does: 'compress', from, to: 'same', cost: 1, options: set, run })

export const repack: Engine = {
  id: 'repack',
  title: 'Repack',
  tools: [{ program: 'sharp' }],
  residents: [worker],
  can: [way(DOCUMENTS, ofDocuments, compress), way(BOOKS, ofBooks, compress), way(PAGES, ofPages, compress)],
}
