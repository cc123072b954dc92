/**
 * Pandoc: markup, notebooks and word documents as one another, by their meaning and not their looks. Pages with a fixed
 * look are made by other engines, out of the HTML or the documents made here.
 */
import { readFileSync } from 'node:fs'
import type { Capability, Engine, Work } from '../catalog/engine.ts'
import type { Ext } from '../catalog/formats.ts'
import { type OptionSet, options } from '../catalog/option.ts'
import * as markup from '../catalog/vocabulary/markup.ts'
import { Failure } from '../core/errors.ts'
import { codeOfFile } from './kit/encoding.ts'
import { putFile, sizeOfMade } from './kit/hop-files.ts'
import { checkPacked } from './kit/packed.ts'
import { type Running, tool } from './kit/tool.ts'
import { pandocArgs, type Wishes } from './pandoc/args.ts'
import { explain, notFound } from './pandoc/words.ts'

const PANDOC = { program: '/usr/bin/pandoc', debian: 'pandoc' }
const ICONV = { program: '/usr/bin/iconv', debian: 'libc-bin' }
const TIDY = 'tidy.lua'
const tidy = readFileSync(new URL('./pandoc/tidy.lua', import.meta.url), 'utf8')

const PACKED: readonly Ext[] = ['docx', 'odt', 'epub']
const UTF8 = 'text.in'
const TREE = 'tree.json'
/** Readers of markup back up and try again: what is written to make them do so must not go on for long. */
const LIMITS = { wall: 120_000, cpu: 90 }

const { document_title, document_author, document_language, toc, toc_depth, number_sections } = markup
const { highlight_style, markdown_flavor, standalone, line_width, markup_images } = markup
const { markdown_headings, reference_links, tex_document_class, epub_version, epub_chapter_level } = markup

const named = { document_title, document_author }
const described = { ...named, document_language }
const structured = { toc, toc_depth, number_sections }

/** What each target can be told. */
const TO = {
  html: options({ ...described, ...structured, markup_images, standalone }),
  docx: options({ ...described, ...structured, highlight_style }),
  odt: options({ ...described, toc, toc_depth }),
  rtf: options({ ...named, toc, toc_depth, standalone }),
  epub: options({ ...described, toc, toc_depth, number_sections, highlight_style, epub_version, epub_chapter_level }),
  fb2: options(described),
  tex: options({ ...described, ...structured, highlight_style, tex_document_class, line_width, standalone }),
  md: options({
    ...{ markdown_flavor, ...named, toc, toc_depth, markup_images, markdown_headings, reference_links },
    ...{ line_width, standalone },
  }),
  rst: options({ ...named, ...structured, line_width, standalone }),
  org: options({ ...named, line_width, standalone }),
  txt: options({ ...named, toc, toc_depth, line_width, standalone }),
  ipynb: options({}),
}

/** Any hop of ours, whatever it may be told. */
type Hop = Running & Pick<Work, 'input' | 'to' | 'dir' | 'tell'> & { options: Wishes }

/** Texts in other codes become UTF-8 first; answers where the text is then. */
async function readable(work: Hop): Promise<string | null> {
  if (PACKED.includes(work.input.format)) {
    await checkPacked(work.input)
    return null
  }
  const code = await codeOfFile(work.input.path)
  if (code === null) return null
  await tool(work, {
    program: ICONV.program,
    args: ([source]) => ['-c', '-f', code, '-t', 'UTF-8', '-o', UTF8, source],
    accepts: [1],
  })
  return UTF8
}

/** Answers what it said. Of two arguments with one name the last counts. */
async function run(work: Hop, text: string | null, ...more: readonly string[]): Promise<string> {
  const { input, to, options: wishes } = work
  const stem = input.filename.replace(/\.[^.]*$/, '')
  const { stderr } = await tool(work, {
    program: PANDOC.program,
    args: ([source]) => [
      ...pandocArgs(input.format, to, stem, wishes),
      ...[`--lua-filter=${TIDY}`, `--output=out.${to}`, ...more, '--', text ?? source],
    ],
    limits: LIMITS,
    explain: (words) => explain(input.filename, words),
  })
  return stderr
}

/** For formats that hold pictures pandoc looks for them first of all, and gives up where one has a place on a disk. */
const gaveUp = (error: unknown): boolean => error instanceof Failure && /openBinaryFile: does/.test(error.detail ?? '')

/** Then the text is written down without such pictures, and made into the document from there. */
async function inTwoSteps(work: Hop, text: string | null): Promise<string> {
  const said = await run(work, text, '--to=json', `--output=${TREE}`)
  return said + (await run(work, TREE, '--from=json'))
}

async function convert(work: Hop): Promise<readonly string[]> {
  const { input, to } = work
  const text = await readable(work)
  await putFile(work, TIDY, tidy)
  const said = await run(work, text).catch((error: unknown) => {
    if (gaveUp(error) && !PACKED.includes(input.format)) return inTwoSteps(work, text)
    throw error
  })
  if ((await sizeOfMade(work, `out.${to}`)) === 0)
    throw new Failure('processing_failed', `"${input.filename}" holds no text.`)
  const missing = notFound(said)
  if (missing.length > 0) work.tell('pictures_left_out', missing)
  return [`out.${to}`]
}

const MARKUP: readonly Ext[] = ['html', 'xhtml', 'epub', 'fb2', 'ipynb', 'rst', 'org', 'tex']
const OFFICE: readonly Ext[] = ['docx', 'odt', 'rtf']
const isOffice = (ext: Ext): boolean => OFFICE.includes(ext)

const way = <S extends OptionSet>(
  from: readonly Ext[],
  to: Ext,
  cost: number,
  set: S,
  run: (work: Work<S>) => Promise<readonly string[]>,
): Capability<S> => ({ does: 'convert', from, to: [to], cost, options: set, run })

/** Word documents become one another, pages and plain text better where their looks are understood. */
const fromOthers = (to: Ext): readonly Ext[] =>
  [...MARKUP, ...(isOffice(to) || to === 'html' || to === 'txt' ? [] : OFFICE)].filter((ext) => ext !== to)

const TABLES = options({ document_title, standalone })

export const pandoc: Engine = {
  id: 'pandoc',
  title: 'Pandoc',
  tools: [PANDOC, ICONV],
  can: [
    way(['md'], 'html', 1, options({ markdown_flavor, ...TO.html, highlight_style }), convert),
    way(['md'], 'docx', 1, options({ markdown_flavor, ...TO.docx }), convert),
    way(['md'], 'odt', 1, options({ markdown_flavor, ...TO.odt }), convert),
    way(['md'], 'rtf', 1, options({ markdown_flavor, ...TO.rtf }), convert),
    way(['md'], 'epub', 1, options({ markdown_flavor, ...TO.epub }), convert),
    way(['md'], 'fb2', 1, options({ markdown_flavor, ...TO.fb2 }), convert),
    way(['md'], 'tex', 1, options({ markdown_flavor, ...TO.tex }), convert),
    way(['md'], 'rst', 1, options({ markdown_flavor, ...TO.rst }), convert),
    way(['md'], 'org', 1, options({ markdown_flavor, ...TO.org }), convert),
    way(['md'], 'txt', 1, options({ markdown_flavor, ...TO.txt }), convert),
    way(['md'], 'ipynb', 1, options({ markdown_flavor, ...TO.ipynb }), convert),
    way(fromOthers('html'), 'html', 2, options({ ...TO.html, highlight_style }), convert),
    way(fromOthers('docx'), 'docx', 2, TO.docx, convert),
    way(fromOthers('odt'), 'odt', 2, TO.odt, convert),
    way(fromOthers('rtf'), 'rtf', 2, TO.rtf, convert),
    way(fromOthers('epub'), 'epub', 2, TO.epub, convert),
    way(fromOthers('fb2'), 'fb2', 2, TO.fb2, convert),
    way(fromOthers('tex'), 'tex', 2, TO.tex, convert),
    way(fromOthers('md'), 'md', 2, TO.md, convert),
    way(fromOthers('rst'), 'rst', 2, TO.rst, convert),
    way(fromOthers('org'), 'org', 2, TO.org, convert),
    way(fromOthers('txt'), 'txt', 2, TO.txt, convert),
    way(fromOthers('ipynb'), 'ipynb', 2, TO.ipynb, convert),
    way(OFFICE, 'html', 6, TO.html, convert),
    way(OFFICE, 'txt', 6, TO.txt, convert),
    { does: 'convert', from: ['csv'], to: ['md', 'rst', 'org', 'tex'], cost: 1, options: TABLES, run: convert },
  ],
}
