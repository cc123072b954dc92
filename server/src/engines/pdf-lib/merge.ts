/** Documents and pictures into one document, in the order given. Which pages, and a bookmark for each file. */
import type { InputFile, Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import { splitName } from '../../core/filename.ts'
import { removeMade } from '../kit/hop-files.ts'
import { tool } from '../kit/tool.ts'
import { askPdfLib, pageOfPicture } from '../pdf-lib.ts'
import { hasPages, MOST_DRAWN, mendIfDamaged } from '../pdf-tools/document.ts'
import { choosePages } from '../pdf-tools/pages.ts'
import { QPDF, qpdf } from '../pdf-tools/qpdf.ts'
import type { mergeOptions } from './settings.ts'
import { alone, among, COPYING, type Survey, survey, surveyAll } from './survey.ts'

type Merge = Work<typeof mergeOptions>

const OUT = 'out.pdf'
const JOINED = 'joined.pdf'
const TOLD = 'joined.json'
const BOOKMARKS = 'bookmarks.json'
const WARNED = 3
const ABOUT_FILES = ['pages', 'outlines', 'encrypt'].map((key) => `--json-key=${key}`)
/** qpdf numbers what it writes from the catalog on, so that object 1 is the catalog. */
const ABOUT_JOINED = ['--json-key=pages', '--json-key=qpdf', '--json-object=trailer', '--json-object=1']

/** Each is bound into the box of one run, and all that is told of them is read together. */
const AT_ONCE = 250

/** One file on its way into the result. */
interface Part {
  input: InputFile
  /** A file in the work folder that is taken instead of the input. */
  made: string | null
  /** What qpdf told of it, in the work folder; null for a picture. */
  told: string | null
  pages: readonly number[]
  /** As qpdf takes them. */
  range: string
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

/** Alone they are told what is wrong with them; together they are quick. */
async function surveys(work: Merge): Promise<ReadonlyMap<InputFile, Survey>> {
  const documents = work.inputs.filter(({ format, size }) => format === 'pdf' && size > 0)
  const found = new Map<InputFile, Survey>()
  const name = (input: InputFile | undefined): string => told(work, input)
  for (let from = 0; documents.length > 1 && from < documents.length; from += AT_ONCE) {
    const some = documents.slice(from, from + AT_ONCE)
    const makes = (index: number): string => name(some[index])
    const all = await surveyAll(work, some, { password: work.options.pdf_password, keys: ABOUT_FILES, makes })
    for (const [index, survey] of all.entries()) {
      const input = some[index]
      if (input && survey) found.set(input, survey)
    }
    work.progress(((from + some.length) / documents.length) * 40)
  }
  return found
}

const told = ({ inputs }: Merge, input: InputFile | undefined): string =>
  `told-${input ? inputs.indexOf(input) : 'nothing'}.json`

async function partOf(work: Merge, input: InputFile, index: number, known: Survey | undefined): Promise<Part> {
  const whole = { input, range: '1-z' }
  if (input.format !== 'pdf') {
    const made = `picture-${index}.pdf`
    await pageOfPicture(work, input, work.options, made)
    return { ...whole, made, told: null, pages: [1] }
  }
  const { pdf_password: password } = work.options
  const makes = told(work, input)
  // A command line has no place for a password.
  const opened = password === undefined ? async () => null : () => openedCopy(work, input, index, password)
  try {
    const { pages, encrypted } = known ?? (await survey(work, input, { password, keys: ABOUT_FILES, makes }))
    return { ...whole, made: encrypted ? await opened() : null, told: makes, pages: upTo(pages) }
  } catch (error) {
    if (!isDamage(error)) throw error
    const mended = await mendedPart(work, { ...whole, made: await opened(), told: makes, pages: [] }, index)
    if (mended.pages.length === 0) throw error
    return mended
  }
}

async function openedCopy(work: Merge, input: InputFile, index: number, password: string): Promise<string> {
  const to = `opened-${index}.pdf`
  await qpdf(alone(work, input), { to, job: { password, decrypt: '' }, limits: COPYING })
  return to
}

const isDamage = (error: unknown): error is Failure =>
  error instanceof Failure && error.errorCode === 'processing_failed'

/** The same with a new list of pages, where it needs one: qpdf counts pages that are none. */
async function mendedPart(work: Merge, part: Part, index: number): Promise<Part> {
  const { input, told: makes } = part
  if (makes === null) return part
  const made = await mendIfDamaged(alone(work, input), part.made ?? undefined, `mended-${index}.pdf`)
  if (made === undefined) return part
  const { pages } = await survey(work, input, { password: undefined, keys: ABOUT_FILES, from: made, makes })
  return { ...part, made, pages: upTo(pages) }
}

function choose(part: Part, list = ''): Part {
  const wanted = list.trim()
  if (wanted === '' || wanted === 'all') return part
  const chosen = choosePages(wanted, part.pages.length)
  if ('wrong' in chosen) {
    throw new Failure('processing_failed', `merge_pages cannot be used for ${part.input.filename}: ${chosen.wrong}`)
  }
  return { ...part, pages: chosen.pages, range: chosen.pages.join(',') }
}

function listsOf({ inputs, options }: Merge): readonly string[] {
  const lists = options.merge_pages?.split(';') ?? []
  if (lists.length <= inputs.length) return lists
  const words = `merge_pages names pages of ${lists.length} files, but there are only ${inputs.length}.`
  throw new Failure('processing_failed', words)
}

/** Answers whether qpdf warned. */
async function joinParts(work: Merge, parts: readonly Part[], args: readonly string[], to: string): Promise<boolean> {
  const direct = parts.filter(({ made }) => made === null).map(({ input }) => input)
  const { code } = await tool(
    { ...work, inputs: direct },
    {
      program: QPDF.program,
      args: (inputs) => {
        const places = [...inputs]
        const files = parts.flatMap(({ made, range }) => [made ?? places.shift() ?? '', range])
        return [...args, '--empty', '--pages', ...files, '--', to]
      },
      accepts: [WARNED],
      limits: COPYING,
    },
  )
  return code === WARNED
}

interface Joining {
  /** Which pages of each. */
  lists: readonly string[]
  args: readonly string[]
  to: string
}

interface Joined {
  parts: readonly Part[]
  /** Every page was looked at, or nothing was said about any. */
  isSure: boolean
  trouble: Failure | null
}

const INCOMPLETE = 'Not all pages could be put together: one of the files is damaged.'

/** Joins what is chosen of the parts. Where not all of that comes, what is damaged among them is mended, or named. */
async function join(work: Merge, whole: readonly Part[], { lists, args, to }: Joining): Promise<readonly Part[]> {
  const once = async (from: readonly Part[]): Promise<Joined> => {
    try {
      const parts = from.map((part, index) => choose(part, lists[index]))
      await removeMade(work, to)
      const isWarned = await joinParts(work, parts, args, to)
      const count = parts.reduce((sum, { pages }) => sum + pages.length, 0)
      const isWhole = await hasPages(work, to, count)
      const trouble = isWhole ? null : new Failure('processing_failed', INCOMPLETE)
      return { parts, isSure: isWhole && (!isWarned || count <= MOST_DRAWN), trouble }
    } catch (error) {
      if (isDamage(error)) return { parts: [], isSure: false, trouble: error }
      throw error
    }
  }
  const first = await once(whole)
  if (first.isSure) return first.parts
  const mended: Part[] = []
  for (const [index, part] of whole.entries()) mended.push(await mendedPart(work, part, index))
  const isSame = mended.every((part, index) => part === whole[index])
  const last = isSame ? first : await once(mended)
  if (last.trouble) throw last.trouble
  return last.parts
}

async function addBookmarks(work: Merge, parts: readonly Part[]): Promise<void> {
  const ours = { ...work, inputs: [] }
  await qpdf(ours, { from: JOINED, to: TOLD, args: () => ['--json', ...ABOUT_JOINED] })
  const files = parts.map(({ input, told, pages }) => ({
    title: splitName(input.filename).stem,
    pages: told === null ? null : [...pages],
  }))
  const told = parts.flatMap((part) => (part.told === null ? [] : [among(work, part.told)]))
  const reads = [among(work, TOLD), ...told]
  await askPdfLib(work, { task: 'bookmarks', files }, { about: work.input, reads, makes: BOOKMARKS })
  const job = { updateFromJson: BOOKMARKS, objectStreams: 'generate' }
  await qpdf(ours, { from: JOINED, to: OUT, job, limits: COPYING })
}

export async function merge(work: Merge): Promise<readonly string[]> {
  const lists = listsOf(work)
  const known = await surveys(work)
  const parts: Part[] = []
  for (const [index, input] of work.inputs.entries()) {
    parts.push(await partOf(work, input, index, known.get(input)))
    work.progress(40 + ((index + 1) / work.inputs.length) * 30)
  }
  if (!work.options.merge_bookmarks) {
    await join(work, parts, { lists, args: ['--object-streams=generate'], to: OUT })
    return [OUT]
  }
  const joined = await join(work, parts, { lists, args: ['--object-streams=disable'], to: JOINED })
  work.progress(85)
  await addBookmarks(work, joined)
  return [OUT]
}
