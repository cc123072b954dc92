/** The pdf-lib engine: a picture becomes a PDF, its bytes as they are. It declares and asks; files are read in the box only. */
import { join } from 'node:path'
import type { Engine, InputFile, Work } from '../catalog/engine.ts'
import type { Values } from '../catalog/option.ts'
import { Failure } from '../core/errors.ts'
import type { JsonObject } from '../core/task.ts'
import type { Question } from './pdf-lib/plan.ts'
import { readAnswer } from './pdf-lib/problems.ts'
import { pdfLibWorker } from './pdf-lib/resident.ts'
import { pictureOptions, pictureQuestion } from './pdf-lib/settings.ts'

type Asking = Pick<Work, 'ask' | 'dir'>

/** What the worker is asked, about which file, what it reads, and the name of what it makes. */
export async function askPdfLib(
  work: Asking,
  question: Question,
  { about, reads, makes }: { about: InputFile; reads: string | readonly string[]; makes: string | null },
): Promise<JsonObject> {
  const wire: JsonObject = JSON.parse(JSON.stringify(question))
  const output = makes === null ? null : join(work.dir, makes)
  return readAnswer(await work.ask(pdfLibWorker, wire, reads, output), about)
}

/** Makes a document of one page. */
export async function pageOfPicture(
  work: Asking,
  picture: InputFile,
  wishes: Values<typeof pictureOptions>,
  makes: string,
): Promise<void> {
  const { format, filename, path, size } = picture
  if (size === 0) throw new Failure('processing_failed', `The file ${filename} is empty.`)
  if (format !== 'jpg' && format !== 'png') {
    throw new Failure('processing_failed', `The file ${filename} cannot be put into a PDF as it is.`)
  }
  await askPdfLib(work, pictureQuestion(format, wishes), { about: picture, reads: path, makes })
}

async function convert(work: Work<typeof pictureOptions>): Promise<readonly string[]> {
  await pageOfPicture(work, work.input, work.options, 'out.pdf')
  return ['out.pdf']
}

export const pdfLib: Engine = {
  id: 'pdf-lib',
  title: 'pdf-lib',
  tools: [{ program: '@cantoo/pdf-lib' }],
  residents: [pdfLibWorker],
  can: [
    // What reads text or drawings out of a PDF finds none in a picture.
    {
      does: 'convert',
      from: ['jpg', 'png'],
      to: ['pdf'],
      cost: 1,
      terminal: true,
      embeds: true,
      options: pictureOptions,
      run: convert,
    },
  ],
}
