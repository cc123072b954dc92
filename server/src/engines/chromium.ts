/** Chromium: pages as a browser shows them, as PDF or picture. It declares and asks; pages are opened in the box only. */
import { join } from 'node:path'
import type { Capability, Engine, Work } from '../catalog/engine.ts'
import type { Ext } from '../catalog/formats.ts'
import type { OptionSet } from '../catalog/option.ts'
import { Failure } from '../core/errors.ts'
import * as options from './chromium/options.ts'
import type { Source } from './chromium/plan.ts'
import { checkAnswer } from './chromium/problems.ts'
import { browserWorker, PROGRAM } from './chromium/resident.ts'
import { planFor, type Target, type Wishes } from './chromium/settings.ts'

type Job = Omit<Work, 'options'> & { options: Wishes }

const isSource = (ext: Ext): ext is Source => ext === 'html' || ext === 'xhtml' || ext === 'mhtml'
/** Chromium holds a page in memory several times over. */
const LARGEST = 200 * 2 ** 20

const run =
  (to: Target) =>
  async ({ input, options: wishes, dir, ask }: Job): Promise<readonly string[]> => {
    if (!isSource(input.format) || input.size > LARGEST)
      throw new Failure('processing_failed', `"${input.filename}" is too large to be shown by a browser.`)
    const name = `out.${to}`
    const plan = planFor(input.format, to, wishes)
    const question = JSON.parse(JSON.stringify(plan))
    checkAnswer(await ask(browserWorker, question, input.path, join(dir, name)), input)
    return [name]
  }

const block = <S extends OptionSet>(
  from: readonly Ext[],
  to: Target,
  declared: S,
  work: (work: Work<S>) => Promise<readonly string[]>,
): Capability<S> => ({ does: 'convert', from, to: [to], cost: 1, options: declared, run: work })

const HTML = ['html', 'xhtml'] as const
const ARCHIVE = ['mhtml'] as const

export const chromium: Engine = {
  id: 'chromium',
  title: 'Chromium',
  tools: [{ program: PROGRAM, debian: 'chromium-headless-shell' }],
  can: [
    block(HTML, 'pdf', options.htmlPdf, run('pdf')),
    block(HTML, 'png', options.htmlPng, run('png')),
    block(HTML, 'jpg', options.htmlJpg, run('jpg')),
    block(HTML, 'webp', options.htmlWebp, run('webp')),
    block(ARCHIVE, 'pdf', options.archivePdf, run('pdf')),
    block(ARCHIVE, 'png', options.archivePng, run('png')),
    block(ARCHIVE, 'jpg', options.archiveJpg, run('jpg')),
    block(ARCHIVE, 'webp', options.archiveWebp, run('webp')),
  ],
}
