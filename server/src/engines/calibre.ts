/**
 * Calibre: e-books as one another, as pages and as text. It decides by names what a file is, and some names make it run
 * what is in the file (`.recipe`): only the formats below reach it, under names of ours.
 */
import type { Capability, Engine, Work } from '../catalog/engine.ts'
import type { Ext } from '../catalog/formats.ts'
import { type OptionSet, options } from '../catalog/option.ts'
import * as ebook from '../catalog/vocabulary/ebook.ts'
import {
  document_author,
  document_language,
  document_title,
  epub_version,
  line_width,
  toc,
} from '../catalog/vocabulary/markup.ts'
import { type BookWishes, calibreArgs } from './calibre/args.ts'
import { putCover } from './calibre/cover.ts'
import { checkPacked, protectedBook } from './kit/packed.ts'
import { type Running, tool } from './kit/tool.ts'

const CALIBRE = { program: '/usr/bin/ebook-convert', debian: 'calibre' }

const { ebook_publisher, ebook_profile, ebook_font_size, ebook_margin, ebook_line_height, ebook_justification } = ebook
const { ebook_paragraphs, ebook_smart_punctuation, ebook_cover, ebook_default_cover, mobi_file_type } = ebook
const { ebook_page_size, ebook_page_numbers, txt_formatting, comic_grayscale, comic_fit, comic_profile } = ebook

const named = { document_title, document_author }
const described = { ...named, document_language, ebook_publisher }
const worded = { ebook_justification, ebook_paragraphs, ebook_smart_punctuation }
const laidOut = { ebook_profile, ebook_font_size, ebook_margin, ebook_line_height, ...worded }

/** What each target can be told. */
const TO = {
  epub: options({ ...described, toc, ...laidOut, ebook_cover, ebook_default_cover, epub_version }),
  azw3: options({ ...described, toc, ...laidOut, ebook_cover }),
  mobi: options({ ...described, toc, ebook_cover, ebook_justification, ebook_smart_punctuation, mobi_file_type }),
  fb2: options({ ...described, ebook_cover }),
  lit: options({}),
  lrf: options({ document_title }),
  pdb: options({ document_title }),
  docx: options({ ...named, toc, ebook_page_size, ebook_margin, ebook_font_size }),
  pdf: options({
    ...named,
    toc,
    ebook_page_size,
    ebook_page_numbers,
    ebook_margin,
    ebook_font_size,
    ebook_smart_punctuation,
  }),
  txt: options({ txt_formatting, line_width, ebook_smart_punctuation }),
}
const COMIC = options({ ...named, ebook_profile: comic_profile, comic_grayscale, comic_fit })

const EBOOKS: readonly Ext[] = ['epub', 'fb2', 'mobi', 'azw', 'azw3', 'prc', 'pdb', 'lit', 'lrf']
const TEXTS: readonly Ext[] = ['docx', 'odt', 'rtf', 'txt']
const PACKED: readonly Ext[] = ['epub', 'docx', 'odt', 'cbz']
/** Chromium draws the pages, and reserves far more than it uses. */
const DRAWING = { addressSpace: null, wall: 600_000, cpu: 600 }
const LIMITS = { wall: 300_000, cpu: 280 }

type Hop = Running & Pick<Work, 'input' | 'to' | 'progress' | 'dir'> & { options: BookWishes }

function explain(filename: string, words: string): string | null {
  if (/\bDRM\b|DRMError/.test(words)) return protectedBook(filename)
  if (/No images found in comic/i.test(words)) return `"${filename}" holds no pictures.`
  if (/scanned|no text|only images/i.test(words)) return `"${filename}" holds no text that could become a book.`
  return null
}

async function convert(work: Hop): Promise<readonly string[]> {
  const { input, to } = work
  if (PACKED.includes(input.format)) await checkPacked(input)
  const cover = await putCover(work, work.options.ebook_cover)
  await tool(work, {
    program: CALIBRE.program,
    args: ([source]) => [source, `out.${to}`, ...calibreArgs(input.format, to, work.options, cover)],
    limits: to === 'pdf' ? DRAWING : LIMITS,
    onOutput(text) {
      for (const [, percent] of text.matchAll(/^(\d{1,3})%/gm)) work.progress(Number(percent))
    },
    explain: (words) => explain(input.filename, words),
  })
  return [`out.${to}`]
}

const way = <S extends OptionSet>(
  from: readonly Ext[],
  to: Ext,
  cost: number,
  set: S,
  run: (work: Work<S>) => Promise<readonly string[]>,
): Capability<S> => ({ does: 'convert', from: from.filter((ext) => ext !== to), to: [to], cost, options: set, run })

const slow = <S extends OptionSet>(capability: Capability<S>): Capability<S> => ({ ...capability, heavy: true })

export const calibre: Engine = {
  id: 'calibre',
  title: 'Calibre',
  tools: [CALIBRE],
  can: [
    way(EBOOKS, 'epub', 1, TO.epub, convert),
    way(EBOOKS, 'azw3', 1, TO.azw3, convert),
    way(EBOOKS, 'mobi', 1, TO.mobi, convert),
    way(EBOOKS, 'fb2', 1, TO.fb2, convert),
    way(EBOOKS, 'lit', 1, TO.lit, convert),
    way(EBOOKS, 'lrf', 1, TO.lrf, convert),
    way(EBOOKS, 'pdb', 1, TO.pdb, convert),
    way(EBOOKS, 'docx', 1, TO.docx, convert),
    slow(way(EBOOKS, 'pdf', 1, TO.pdf, convert)),
    { ...way(EBOOKS, 'txt', 1, TO.txt, convert), terminal: true },
    way(TEXTS, 'epub', 3, TO.epub, convert),
    way(TEXTS, 'azw3', 3, TO.azw3, convert),
    way(TEXTS, 'mobi', 3, TO.mobi, convert),
    slow(way(['pdf'], 'epub', 7, TO.epub, convert)),
    slow(way(['pdf'], 'azw3', 7, TO.azw3, convert)),
    slow(way(['pdf'], 'mobi', 7, TO.mobi, convert)),
    { does: 'convert', from: ['cbz'], to: ['epub', 'azw3', 'mobi'], cost: 2, options: COMIC, run: convert },
  ],
}
