/**
 * Pictures with several pages or frames, each a page of a PDF. Sharp takes them out one by one, pdf-lib puts each on its
 * page, qpdf binds them. It reads no content itself.
 */
import { chmod, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine, Work } from '../catalog/engine.ts'
import { option, options } from '../catalog/option.ts'
import { page as one } from '../catalog/vocabulary/image.ts'
import { Failure } from '../core/errors.ts'
import { removeMade } from './kit/hop-files.ts'
import { padded } from './kit/made-pages.ts'
import { tool } from './kit/tool.ts'
import { pictureOptions } from './pdf-lib/settings.ts'
import { pageOfPicture } from './pdf-lib.ts'
import { QPDF } from './pdf-tools/qpdf.ts'
import { before } from './sharp/options.ts'
import type { Encoding } from './sharp/plan.ts'
import { MOST_PAGES, preparePicture } from './sharp/run.ts'

const page = option.integer({ ...one, hint: 'The page or frame to take, counted from 1. Without it, all of them.' })
const declared = options({ page, ...before, ...pictureOptions })
type Paged = Work<typeof declared>

const OUT = 'out.pdf'
/** A page holds these very bytes: three times as long as packed in haste, and half as big. */
const PACKED: Encoding = { as: 'png', with: { compressionLevel: 2, adaptiveFiltering: true, palette: false } }

/** Makes a document of one page, and tells how many there are. */
async function single(work: Paged, index: number, makes: string): Promise<number> {
  const name = `${makes}.png`
  // What was noted about printing gives the page its size; pdf-lib strips the rest.
  const { pages } = await preparePicture(work, { page: index, keepMetadata: true, encode: PACKED }, name)
  const path = join(work.dir, name)
  const picture = { ...work.input, format: 'png', path, size: (await stat(path)).size } as const
  await pageOfPicture(work, picture, work.options, makes)
  await removeMade(work, name)
  return pages
}

async function bind(work: Paged, names: readonly string[]): Promise<void> {
  const pages = names.flatMap((name) => [name, '1'])
  // Another program reads them.
  await Promise.all(names.map((name) => chmod(join(work.dir, name), 0o644)))
  await tool(
    { ...work, inputs: [] },
    {
      program: QPDF.program,
      args: () => ['--object-streams=generate', '--empty', '--pages', ...pages, '--', OUT],
      limits: { cpu: 120, wall: 180_000 },
    },
  )
}

async function convert(work: Paged): Promise<readonly string[]> {
  const wanted = work.options.page
  const first = `page-${padded(1, MOST_PAGES)}.pdf`
  const pages = await single(work, (wanted ?? 1) - 1, first)
  if (wanted !== undefined || pages === 1) {
    await rename(join(work.dir, first), join(work.dir, OUT))
    return [OUT]
  }
  if (pages > MOST_PAGES)
    throw new Failure(
      'processing_failed',
      `The file ${work.input.filename} has ${pages} pages; at most ${MOST_PAGES} are possible. Choose one with the option page.`,
    )
  const names = [first]
  for (let index = 1; index < pages; index++) {
    const name = `page-${padded(index + 1, MOST_PAGES)}.pdf`
    await single(work, index, name)
    names.push(name)
    work.progress((index / pages) * 90)
  }
  await bind(work, names)
  return [OUT]
}

export const picturePages: Engine = {
  id: 'picture-pages',
  title: 'Pages of pictures',
  tools: [{ program: 'sharp' }, { program: '@cantoo/pdf-lib' }, QPDF],
  can: [
    {
      does: 'convert',
      from: ['tiff', 'gif', 'webp'],
      to: ['pdf'],
      cost: 2,
      terminal: true,
      options: declared,
      run: convert,
    },
  ],
}
