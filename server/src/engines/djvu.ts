/** DjVuLibre: scanned books in DjVu as PDF, TIFF and text. It reads DjVu only. */
import type { Engine, Work } from '../catalog/engine.ts'
import { option, options, type Values } from '../catalog/option.ts'
import { pdf_pages } from '../catalog/vocabulary/pdf.ts'
import { Failure } from '../core/errors.ts'
import { readMade } from './kit/hop-files.ts'
import { tool } from './kit/tool.ts'
import { choosePages } from './pdf-tools/pages.ts'

const DDJVU = '/usr/bin/ddjvu'
const DJVUSED = '/usr/bin/djvused'
const DJVUTXT = '/usr/bin/djvutxt'

const djvu_pages = option.string({ ...pdf_pages, label: 'Pages', hint: 'Which pages, in which order: like 1-3,5.' })
const djvu_mode = option.choice(
  { color: 'All', black: 'Black and white', foreground: 'Only what is written', background: 'Only the paper' },
  { label: 'Layers', hint: 'What of the pages is drawn.', default: 'color', more: true },
)
const quality = option.integer({
  hint: 'Quality of colour pictures: from 25, small, to 100, best.',
  min: 25,
  max: 100,
  default: 85,
})

const drawing = options({ quality, djvu_pages, djvu_mode })
const text = options({ djvu_pages })

/** A page is some MB in the making. */
const MOST_PAGES = 2000

export const drawArgs = (to: 'pdf' | 'tiff', wishes: Values<typeof drawing>, pages: string | null): string[] => [
  `-format=${to}`,
  `-quality=${wishes.quality}`,
  `-mode=${wishes.djvu_mode}`,
  ...(pages === null ? [] : [`-page=${pages}`]),
]

/** The chosen pages as ddjvu wants them, or null for all. */
async function chosen(work: Work, wish: string | undefined): Promise<string | null> {
  const { stdout } = await tool(work, { program: DJVUSED, args: ([source]) => [source, '-e', 'n'] })
  const count = Number(/^\d+/.exec(stdout.trim())?.[0] ?? 0)
  if (count === 0) throw new Failure('processing_failed', `"${work.input.filename}" has no pages: it is damaged.`)
  const found = wish === undefined ? { pages: { length: count } } : choosePages(wish, count)
  if ('wrong' in found) throw new Failure('processing_failed', `djvu_pages cannot be taken: ${found.wrong}`)
  if (found.pages.length > MOST_PAGES)
    throw new Failure(
      'processing_failed',
      `At most ${MOST_PAGES} pages are possible. Choose some with the option djvu_pages.`,
    )
  return wish === undefined ? null : wish.replace(/\s+/g, '').replace(/-(?=,|$)/g, `-${count}`)
}

async function draw(work: Work<typeof drawing>): Promise<readonly string[]> {
  const pages = await chosen(work, work.options.djvu_pages)
  const to = work.to === 'pdf' ? 'pdf' : 'tiff'
  await tool(work, {
    program: DDJVU,
    args: ([source]) => [...drawArgs(to, work.options, pages), source, `out.${to}`],
    // It writes the whole book there before it packs it.
    env: { TMPDIR: '.' },
    limits: { cpu: 120, wall: 180_000 },
  })
  return [`out.${to}`]
}

async function read(work: Work<typeof text>): Promise<readonly string[]> {
  const pages = await chosen(work, work.options.djvu_pages)
  const choice = pages === null ? [] : [`--page=${pages}`]
  await tool(work, { program: DJVUTXT, args: ([source]) => [...choice, source, 'out.txt'] })
  if ((await readMade(work, 'out.txt', 65_536)).trim() !== '') return ['out.txt']
  throw new Failure('processing_failed', `"${work.input.filename}" has no text in it; its pages are only pictures.`)
}

export const djvu: Engine = {
  id: 'djvu',
  title: 'DjVuLibre',
  tools: [DDJVU, DJVUSED, DJVUTXT].map((program) => ({ program, debian: 'djvulibre-bin' })),
  can: [
    { does: 'convert', from: ['djvu'], to: ['pdf', 'tiff'], cost: 1, options: drawing, run: draw },
    { does: 'convert', from: ['djvu'], to: ['txt'], cost: 1, terminal: true, options: text, run: read },
  ],
}
