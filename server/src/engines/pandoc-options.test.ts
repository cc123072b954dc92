import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type OptionProof, optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, type Made } from '../../test/support/bench.ts'
import { bodyOf, documents, PIXEL } from '../../test/support/books.ts'
import { unzipped, within } from '../../test/support/unzipped.ts'
import type { Ext } from '../catalog/formats.ts'
import { pandocArgs } from './pandoc/args.ts'
import { pandoc } from './pandoc.ts'

const table = await bench(pandoc)
const files = await documents()

const PROPERTIES = /^(?:docProps\/core\.xml|meta\.xml|.*\.opf|word\/(?:styles|settings)\.xml|styles\.xml)$/
const PACKED: readonly Ext[] = ['docx', 'odt', 'epub']
const body = ({ files: [made] }: Made, to: Ext): string => bodyOf(made!, to)
/** With what the document says of itself, where that is a part of its own. */
const whole = (made: Made, to: Ext): string =>
  PACKED.includes(to) ? body(made, to) + within(made.files[0]!, PROPERTIES) : body(made, to)

/** How often something can be seen, with and without. */
const sees = (given: unknown, pattern: RegExp, more: Partial<OptionProof<number>> = {}): OptionProof<number> =>
  proof({
    given,
    see: (made, to) => [...whole(made, to).matchAll(new RegExp(pattern, `${pattern.flags}g`))].length,
    ...more,
  })
const appears = (changed: number, usual: number): void =>
  assert.ok(changed > usual, `${changed}, not more than ${usual}`)
const vanishes = (changed: number, usual: number): void =>
  assert.ok(changed < usual, `${changed}, not less than ${usual}`)

/** Everything a whole document has that its content has not. */
const HEADS: Partial<Record<Ext, RegExp>> = {
  html: /<body/,
  rtf: /\\rtf1/,
  tex: /\\documentclass/,
  md: /title: Heads/,
  rst: /^=+\nHeads\n=+/m,
  org: /\+title: Heads/i,
  txt: /^Heads$/m,
}
const longest = (made: Made, to: Ext): number =>
  Math.max(
    ...body(made, to)
      .replace(/[\s\S]*begin\{document\}/, '')
      .split('\n')
      .map((line) => (line.startsWith('!') || line.includes('base64') || line.includes('Tok{') ? 0 : line.length)),
  )

optionProofs(pandoc, table, {
  files,
  proofs: {
    document_title: sees(
      'Ünusual: "title" --x',
      /Ünusual: \S{1,8}title\S{1,8} |Ünusual: ["“]title|\\u220\S*nusual|nusual: ``title/,
      { shows: appears },
    ),
    document_author: sees('Ann Onym; Bo Bee', /Ann Onym[\s\S]*Bo Bee|<first-name>Ann[\s\S]*<first-name>Bo/, {
      shows: appears,
    }),
    document_language: sees('pt-BR', /pt-BR|pt[\s\S]{0,80}BR|<lang>pt|portuguese|brazilian/i, { shows: appears }),
    toc: sees(
      true,
      /TOC|table-of-content|tableofcontents|contents::|href="#first|#first-chapter|HYPERLINK "#|- +First chapter|<li id="toc-li|<navPoint|spine toc|idref="nav"(?! linear="no")/,
      { shows: appears },
    ),
    toc_depth: proof({ given: 1, with: { toc: true }, see: body }),
    number_sections: sees(true, /header-section-number|SectionNumber|secnumdepth\}\{5|section-numbering/, {
      shows: appears,
    }),
    highlight_style: sees(
      'none',
      /class="kw|class="sourceCode|<w:rStyle w:val="(?:BuiltIn|StringTok)|class="bu|NormalTok\{/,
      {
        shows: vanishes,
      },
    ),
    markdown_flavor: [
      proof({
        on: { to: ['md'] },
        sample: () => Buffer.from('<h1>A</h1><p><del>b</del></p>'),
        given: 'commonmark',
        see: body,
      }),
      // In Pandoc's own a list needs an empty line before it, in GitHub's none.
      proof({
        on: { from: ['md'] },
        sample: Buffer.from('# A\n\nSome words\n- a point\n'),
        given: 'markdown',
        see: body,
      }),
    ],
    standalone: proof({
      given: false,
      with: { document_title: 'Heads' },
      see: (made, to) => HEADS[to]!.test(body(made, to)),
      shows: false,
    }),
    line_width: proof({
      given: 30,
      see: longest,
      shows: (changed, usual) => assert.ok(changed <= 60 && usual > changed),
    }),
    markup_images: proof({ given: 'remove', see: (made, to) => body(made, to).includes(PIXEL), shows: false }),
    markdown_headings: sees('setext', /^First chapter\n====/m, { shows: 1 }),
    reference_links: sees(true, /^ *\[link\]: https/m, { shows: 1 }),
    tex_document_class: sees('book', /\]\{book\}|^\s*book,?\]|\{book\}/, { shows: appears }),
    epub_version: proof({
      given: '2',
      see: ({ files: [made] }) => /<package[^>]* version="(\d)/.exec(within(made!, /\.opf$/))?.[1],
      shows: '2',
    }),
    epub_chapter_level: proof({
      given: 2,
      see: ({ files: [made] }) => Object.keys(unzipped(made!)).filter((name) => /ch\d+\.xhtml$/.test(name)).length,
      shows: (changed, usual) => assert.ok(changed > usual),
    }),
  },
})

it('what users write never becomes an argument of its own', () => {
  const hostile = ['--filter=/bin/sh', '-x', 'a\n--lua-filter=x', '@file', '$(id)', '']
  for (const text of hostile) {
    const args = pandocArgs('md', 'html', text, { document_title: text, document_author: `${text};${text}` })
    for (const arg of args) assert.match(arg, /^--(?:from|to|standalone|mathml|metadata|wrap)\b/)
    assert.ok(args.every((arg) => !arg.includes('\n')))
  }
})
