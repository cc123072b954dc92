/** Asks the sharp worker for small things: a picture without its metadata, a look at a drawing. Touches no content itself. */
import { constants } from 'node:fs'
import { chmod, copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../../core/task.ts'
import type { Job } from './job.ts'
import type { Chore, Loader } from './plan.ts'
import { readChore } from './problems.ts'
import { sharpWorker } from './resident.ts'
import { loaderOf } from './settings.ts'

type Asking = Pick<Job, 'ask' | 'input' | 'dir'>

const askChore = async ({ ask, input }: Asking, chore: Chore, output: string | null): Promise<JsonObject> => {
  const question: JsonObject = { ...chore }
  return readChore(await ask(sharpWorker, question, input.path, output), input)
}

/** The input as the result, without its metadata where that is to go. Answers whether it is the very same. */
export async function keepInput(job: Asking & { options: object }, name: string): Promise<boolean> {
  const output = join(job.dir, name)
  const loader = loaderOf(job.input.format)
  const strip = 'strip' in job.options && job.options.strip === true
  if (strip && loader && (await askChore(job, { chore: 'bare', loader }, output)).made) return false
  await copyFile(job.input.path, output, constants.COPYFILE_FICLONE)
  return true
}

/** What another program left in the folder of the hop, without its metadata; answers its name. */
export async function bareOf({ ask, input, dir }: Asking, name: string, loader: Loader, to: string): Promise<string> {
  const question: JsonObject = { chore: 'bare', loader }
  return readChore(await ask(sharpWorker, question, join(dir, name), join(dir, to)), input).made === true ? to : name
}

/** Refuses a drawing that shows its parts millions of times over, before a program that would draw them all. */
export const refuseBomb = (job: Asking): Promise<unknown> => askChore(job, { chore: 'weigh' }, null)

/** Takes a picture out of an Apple icon, and says what it is. */
export async function takeFromIcon(job: Asking, page: number | undefined, name: string): Promise<'png' | 'jp2'> {
  const output = join(job.dir, name)
  const { as } = await askChore(job, { chore: 'icon', page: page ?? null }, output)
  await chmod(output, 0o644)
  return as === 'jp2' ? 'jp2' : 'png'
}
