/** Options of written documents: what is added to them, how they are divided, and how markup is spelled. */
import { option } from '../option.ts'

// What a document says of itself

export const document_title = option.string({
  label: 'Title',
  hint: 'Title of the document, in the place of its own.',
  maxLength: 500,
})

export const document_author = option.string({
  label: 'Author',
  hint: 'Who wrote it; several are parted by semicolons.',
  maxLength: 500,
})

export const document_language = option.string({
  label: 'Language',
  hint: 'Language of the text, as in de, en or pt-BR.',
  pattern: /[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}/,
  expects: 'a language like de, en or pt-BR',
  maxLength: 24,
  more: true,
})

// What is added

export const toc = option.boolean({
  label: 'Table of contents',
  hint: 'A list of the headings is put in front.',
  default: false,
})

export const toc_depth = option.integer({
  label: 'Depth of the contents',
  hint: 'How many levels of headings the table of contents shows.',
  min: 1,
  max: 6,
  default: 3,
  needs: { toc: [true] },
  more: true,
})

export const number_sections = option.boolean({
  label: 'Number headings',
  hint: 'Headings are numbered: 1, 1.1, 1.2 and so on.',
  default: false,
})

export const highlight_style = option.choice(
  {
    none: 'None',
    pygments: 'Pygments',
    tango: 'Tango',
    espresso: 'Espresso',
    zenburn: 'Zenburn',
    kate: 'Kate',
    monochrome: 'Monochrome',
    breezedark: 'Breeze dark',
    haddock: 'Haddock',
  },
  { label: 'Colours of code', hint: 'How programs in the text are coloured.', default: 'pygments', more: true },
)

// How markup is spelled

export const markdown_flavor = option.choice(
  {
    gfm: 'GitHub',
    commonmark: 'CommonMark',
    markdown: 'Pandoc',
    markdown_mmd: 'MultiMarkdown',
    markdown_phpextra: 'PHP Markdown Extra',
    markdown_strict: 'Original',
  },
  { label: 'Markdown', hint: 'Which dialect of Markdown it is.', default: 'gfm' },
)

export const standalone = option.boolean({
  label: 'Whole document',
  hint: 'With title, head and foot. Off: only the content, to be put into another document.',
  default: true,
  more: true,
})

export const line_width = option.integer({
  label: 'Line width',
  hint: 'Lines are broken at so many letters. Without it, a paragraph is one line.',
  min: 20,
  max: 500,
  more: true,
})

export const markup_images = option.choice(
  { embed: 'Put into the file', remove: 'Leave out' },
  { label: 'Pictures', hint: 'What becomes of pictures that are in the document.', default: 'embed' },
)

export const markdown_headings = option.choice(
  { atx: '# Signs in front', setext: 'Underlined' },
  { label: 'Headings', hint: 'How headings are marked.', default: 'atx', more: true },
)

export const reference_links = option.boolean({
  label: 'Links at the end',
  hint: 'Addresses are listed below the text, not within it.',
  default: false,
  more: true,
})

export const tex_document_class = option.choice(
  { article: 'Article', report: 'Report', book: 'Book' },
  { label: 'Document class', hint: 'What kind of LaTeX document it becomes.', default: 'article', more: true },
)

// E-books made of markup

export const epub_version = option.choice(
  { '3': 'EPUB 3', '2': 'EPUB 2' },
  { label: 'Version', hint: 'EPUB 2 is for very old readers.', default: '3', more: true },
)

export const epub_chapter_level = option.integer({
  label: 'Chapters by level',
  hint: 'Headings down to this level begin a file of their own within the book.',
  min: 1,
  max: 6,
  default: 1,
  more: true,
})
