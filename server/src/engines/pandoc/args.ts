/** How pandoc is told what to do. Pure: options in, arguments out; user text only ever follows `--name=` or `key:`. */
import type { Ext } from '../../catalog/formats.ts'

/** What any of the targets may be told; each declares its own part. */
export interface Wishes {
  readonly document_title?: string | undefined
  readonly document_author?: string | undefined
  readonly document_language?: string | undefined
  readonly toc?: boolean
  readonly toc_depth?: number
  readonly number_sections?: boolean
  readonly highlight_style?: string
  readonly markdown_flavor?: string
  readonly standalone?: boolean
  readonly line_width?: number | undefined
  readonly markup_images?: string
  readonly markdown_headings?: string
  readonly reference_links?: boolean
  readonly tex_document_class?: string
  readonly epub_version?: string
  readonly epub_chapter_level?: number
}

const READERS: Readonly<Partial<Record<Ext, string>>> = {
  rst: 'rst',
  org: 'org',
  tex: 'latex',
  html: 'html',
  xhtml: 'html',
  epub: 'epub',
  fb2: 'fb2',
  ipynb: 'ipynb',
  docx: 'docx',
  odt: 'odt',
  rtf: 'rtf',
  csv: 'csv',
}

const WRITERS: Readonly<Partial<Record<Ext, string>>> = {
  html: 'html5',
  docx: 'docx',
  odt: 'odt',
  rtf: 'rtf',
  fb2: 'fb2',
  tex: 'latex',
  rst: 'rst',
  org: 'org',
  txt: 'plain',
  ipynb: 'ipynb',
}

/** What people write everywhere, whatever the dialect says. */
const READ_ALSO: Readonly<Record<string, string>> = {
  gfm: '+tex_math_dollars',
  commonmark: '+yaml_metadata_block',
  markdown_strict: '+yaml_metadata_block',
  markdown_phpextra: '+yaml_metadata_block',
}

export function reader(from: Ext, { markdown_flavor = 'gfm' }: Wishes): string {
  if (from === 'md') return `${markdown_flavor}${READ_ALSO[markdown_flavor] ?? ''}`
  return READERS[from] ?? from
}

export function writer(to: Ext, { markdown_flavor = 'gfm', epub_version }: Wishes): string {
  if (to === 'md') return markdown_flavor
  if (to === 'epub') return `epub${epub_version ?? '3'}`
  return WRITERS[to] ?? to
}

/** Formats of layout wrap everything in parts and spans, which markup would have to spell out as HTML. */
const WRAPPED: readonly Ext[] = ['html', 'xhtml', 'epub', 'fb2', 'docx', 'odt', 'rtf']
/** These spell them out, or do not see headings within them. */
const BARE: readonly Ext[] = ['md', 'rst', 'org', 'txt', 'epub', 'fb2']
/** These refer to pictures as files beside them, of which there are none. */
const WITHOUT_PICTURES: readonly Ext[] = ['rst', 'org', 'tex']
const HOLDING_PICTURES: readonly Ext[] = ['docx', 'odt', 'rtf', 'epub', 'fb2', 'ipynb']
/** Where a title must be, and what it is called. */
const TITLED: Readonly<Partial<Record<Ext, string>>> = { html: 'pagetitle', epub: 'title', fb2: 'title' }

/** What tidy.lua is to do. */
function tidying(from: Ext, to: Ext, stem: string, wishes: Wishes): string[] {
  const usual = HOLDING_PICTURES.includes(to) ? 'pack' : ''
  const pictures = WITHOUT_PICTURES.includes(to) ? 'remove' : (wishes.markup_images ?? usual)
  const bare = from === 'ipynb' || (BARE.includes(to) && WRAPPED.includes(from))
  const told = { name: stem, untitled: TITLED[to] ?? '', pictures, bare: bare ? 'yes' : 'no' }
  return Object.entries(told).map(([key, value]) => `--metadata=reforge-${key}:${value}`)
}

/** No letter of a name may be anything but a letter. */
const plain = (text: string): string => text.replace(/[\0-\x1f\x7f]+/g, ' ').trim()

const described = ({ document_title, document_author, document_language }: Wishes): string[] => [
  ...(document_title === undefined ? [] : [`--metadata=title:${plain(document_title)}`]),
  ...(document_author ?? '')
    .split(';')
    .map(plain)
    .filter((author) => author !== '')
    .map((author) => `--metadata=author:${author}`),
  ...(document_language === undefined ? [] : [`--metadata=lang:${document_language}`]),
]

const when = (asked: boolean | undefined, ...args: readonly string[]): readonly string[] => (asked ? args : [])

const coloured = (style: string | undefined): string[] =>
  style === undefined ? [] : [style === 'none' ? '--no-highlight' : `--highlight-style=${style}`]

/** `stem` is the name of the file without its ending: the title of what has none. */
export function pandocArgs(from: Ext, to: Ext, stem: string, wishes: Wishes): string[] {
  const { epub_chapter_level: chapters, line_width: width, markdown_headings: headings, tex_document_class } = wishes
  return [
    `--from=${reader(from, wishes)}`,
    `--to=${writer(to, wishes)}`,
    ...when(wishes.standalone ?? true, '--standalone'),
    '--mathml',
    ...described(wishes),
    ...tidying(from, to, plain(stem), wishes),
    ...when(wishes.toc, '--toc', `--toc-depth=${wishes.toc_depth ?? 3}`),
    ...when(wishes.number_sections, '--number-sections'),
    ...coloured(wishes.highlight_style),
    ...(width === undefined ? ['--wrap=none'] : ['--wrap=auto', `--columns=${width}`]),
    ...when(headings !== undefined, `--markdown-headings=${headings}`),
    ...when(wishes.reference_links, '--reference-links'),
    ...when(tex_document_class !== undefined, `--variable=documentclass:${tex_document_class}`),
    ...when(chapters !== undefined, `--epub-chapter-level=${chapters}`),
  ]
}
