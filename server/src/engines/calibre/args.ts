/** How calibre is told what to do. Pure: options in, arguments out; user text only ever follows `--name=`. */
import type { Ext } from '../../catalog/formats.ts'

/** What any of the targets may be told; each declares its own part. */
export interface BookWishes {
  readonly document_title?: string | undefined
  readonly document_author?: string | undefined
  readonly document_language?: string | undefined
  readonly ebook_publisher?: string | undefined
  readonly toc?: boolean
  readonly ebook_profile?: string
  readonly ebook_font_size?: number | undefined
  readonly ebook_margin?: number | undefined
  readonly ebook_line_height?: number | undefined
  readonly ebook_justification?: string
  readonly ebook_paragraphs?: string
  readonly ebook_smart_punctuation?: boolean
  readonly ebook_cover?: string | undefined
  readonly ebook_default_cover?: boolean
  readonly epub_version?: string
  readonly mobi_file_type?: string
  readonly ebook_page_size?: string
  readonly ebook_page_numbers?: boolean
  readonly txt_formatting?: string
  readonly line_width?: number | undefined
  readonly comic_grayscale?: boolean
  readonly comic_fit?: boolean
}

const given = (name: string, value: string | number | undefined): string[] =>
  value === undefined || value === '' ? [] : [`--${name}=${value}`]
const when = (asked: boolean | undefined, ...args: readonly string[]): readonly string[] => (asked ? args : [])
const plain = (text: string | undefined): string | undefined => text?.replace(/[\0-\x1f\x7f]+/g, ' ').trim()

/** "Multiple authors should be separated by ampersands." */
const authors = (text: string | undefined): string | undefined =>
  plain(text)
    ?.split(';')
    .map((name) => name.trim().replaceAll('&', 'and'))
    .filter((name) => name !== '')
    .join(' & ')

const metadata = (wishes: BookWishes): string[] => [
  ...given('title', plain(wishes.document_title)),
  ...given('authors', authors(wishes.document_author)),
  ...given('language', wishes.document_language),
  ...given('publisher', plain(wishes.ebook_publisher)),
]

const SIDES = ['left', 'right', 'top', 'bottom'] as const
const MARGINS: Readonly<Partial<Record<Ext, string>>> = { pdf: 'pdf-page-margin', docx: 'docx-page-margin' }

const margins = (to: Ext, points: number | undefined): string[] =>
  points === undefined ? [] : SIDES.map((side) => `--${MARGINS[to] ?? 'margin'}-${side}=${points}`)

const layout = (to: Ext, wishes: BookWishes): string[] => [
  ...given('output-profile', wishes.ebook_profile),
  ...given('base-font-size', wishes.ebook_font_size),
  ...given('minimum-line-height', wishes.ebook_line_height),
  ...given('change-justification', wishes.ebook_justification),
  ...margins(to, wishes.ebook_margin),
  ...when(wishes.ebook_paragraphs === 'indent', '--remove-paragraph-spacing'),
  ...when(wishes.ebook_paragraphs === 'space', '--insert-blank-line'),
  ...when(wishes.ebook_smart_punctuation, '--smarten-punctuation'),
]

/** Some make a table of contents unless told not to, the others when told to. */
const CONTENTS: Readonly<Partial<Record<Ext, (wanted: boolean) => readonly string[]>>> = {
  epub: (wanted) => when(wanted, '--epub-inline-toc'),
  mobi: (wanted) => (wanted ? ['--mobi-toc-at-start'] : ['--no-inline-toc']),
  azw3: (wanted) => when(!wanted, '--no-inline-toc'),
  pdf: (wanted) => when(wanted, '--pdf-add-toc'),
  docx: (wanted) => when(!wanted, '--docx-no-toc'),
}

const TARGETS: Readonly<Partial<Record<Ext, (wishes: BookWishes) => readonly string[]>>> = {
  epub: ({ epub_version, ebook_default_cover }) => [
    ...given('epub-version', epub_version),
    ...when(!ebook_default_cover, '--no-default-epub-cover'),
  ],
  mobi: ({ mobi_file_type }) => given('mobi-file-type', mobi_file_type),
  pdf: ({ ebook_page_size, ebook_page_numbers }) => [
    ...given('paper-size', ebook_page_size),
    ...when(ebook_page_numbers, '--pdf-page-numbers'),
  ],
  docx: ({ ebook_page_size }) => given('docx-page-size', ebook_page_size),
  txt: ({ txt_formatting, line_width }) => [
    ...given('txt-output-formatting', txt_formatting),
    ...(line_width === undefined ? [] : [`--max-line-length=${line_width}`, '--force-max-line-length']),
  ],
}

/** Comics lose their colours and borders unless told not to; and pages fit any screen but that of a tablet. */
const comic = (from: Ext, { comic_grayscale, comic_fit }: BookWishes): readonly string[] =>
  from === 'cbz'
    ? [...when(!comic_grayscale, '--dont-grayscale'), ...when(!comic_fit, '--no-process', '--output-profile=tablet')]
    : []

/** @param cover the name of the picture, in the folder of the hop */
export const calibreArgs = (from: Ext, to: Ext, wishes: BookWishes, cover?: string): string[] => [
  ...metadata(wishes),
  ...given('cover', cover),
  ...layout(to, wishes),
  ...(CONTENTS[to]?.(wishes.toc ?? false) ?? []),
  ...(TARGETS[to]?.(wishes) ?? []),
  ...comic(from, wishes),
]
