/**
 * Has a plan carried out by the sharp worker: a capability of its own, or a step before or after another program, so that
 * whatever else reads or writes a format, pictures are resized, turned and stripped in one way. It touches no pixel itself.
 */
import { chmod, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../core/errors.ts'
import type { JsonObject } from '../../core/task.ts'
import { padded } from '../kit/made-pages.ts'
import { keepInput } from './chore.ts'
import { TARGETS, type Target } from './encodings.ts'
import type { Job } from './job.ts'
import type { Done, Encoding, Loader, Plan, Planes } from './plan.ts'
import { readAnswer } from './problems.ts'
import { sharpWorker } from './resident.ts'
import { type Ask, convertPlan, isSource } from './settings.ts'

const isTarget = (ext: string): ext is Target => TARGETS.some((target) => target === ext)

const target = (to: string): Target => {
  if (!isTarget(to)) throw new Failure('processing_failed', `Pictures cannot be written as ${to}.`)
  return to
}

function sources({ inputs }: Pick<Job, 'inputs'>): Ask['from'] {
  return inputs.map(({ format, filename }) => {
    if (!isSource(format)) throw new Failure('processing_failed', `The file ${filename} cannot be read as a picture.`)
    return { format, name: filename }
  })
}

/** PNG as it goes to another program: written in no time, thrown away soon. */
const PASSING: Encoding = { as: 'png', with: { compressionLevel: 0, adaptiveFiltering: false, palette: false } }

/** The plan for what another hop reads at once. Few colours may be just what was asked for. */
const forPassing = (plan: Plan, { passing }: Job): Plan =>
  passing && plan.encode.as === 'png' && !plan.encode.with.palette ? { ...plan, encode: PASSING } : plan

/** A plan as it goes over the wire. */
const question = (plan: Plan): JsonObject => JSON.parse(JSON.stringify(plan))

async function ask(job: Job, plan: Plan, paths: readonly string[], output: string): Promise<Done> {
  return readAnswer(await job.ask(sharpWorker, question(plan), paths, output), job.inputs)
}

/** A capability that is sharp's alone. */
export const runner =
  (planFor: (ask: Ask) => Plan, tell: (job: Job, done: Done, plan: Plan) => void = () => {}) =>
  async (job: Job): Promise<readonly string[]> => {
    const plan = forPassing(planFor({ from: sources(job), to: target(job.to), wishes: job.options }), job)
    const name = `out.${job.to}`
    const output = join(job.dir, name)
    const done = await ask(
      job,
      plan,
      job.inputs.map((input) => input.path),
      output,
    )
    const unchanged = done.unchanged && (await keepInput(job, name))
    tell(job, { ...done, unchanged }, plan)
    return [name]
  }

/** More files than anybody looks through, and as many runs of the worker. */
export const MOST_PAGES = 1000

/** Every page or frame a file of its own, in their order. */
async function separated(job: Job): Promise<readonly string[]> {
  const wishes = { ...job.options, page: 1 }
  const plan = forPassing(convertPlan({ from: sources(job), to: target(job.to), wishes }), job)
  const names: string[] = []
  for (let page = 0, pages = 1; page < pages; page++) {
    const name = `page-${padded(page + 1, MOST_PAGES)}.${job.to}`
    const done = await ask(job, { ...plan, page }, [job.input.path], join(job.dir, name))
    pages = done.pages
    if (pages > MOST_PAGES)
      throw new Failure(
        'processing_failed',
        `The file ${job.input.filename} has ${pages} pages; at most ${MOST_PAGES} are possible. Choose one with the option page.`,
      )
    names.push(name)
    job.progress(((page + 1) / pages) * 100)
  }
  return names
}

const whole = runner(convertPlan)

export const convertPicture = (job: Job): Promise<readonly string[]> =>
  job.options.image_pages === 'separate' ? separated(job) : whole(job)

/** What another program left in the folder of the hop. */
export interface Decoded {
  name: string
  loader: Extract<Loader, 'jpeg' | 'png' | 'tiff' | 'pnm' | 'linear'>
  /** Of floats, which say nothing of it. */
  planes?: Planes
  /** It has turned the picture as the camera was held. */
  upright?: boolean
}

const AS = { jpeg: 'jpg', png: 'png', tiff: 'tiff', pnm: 'png', linear: 'png' } as const

/** The step after a program that decodes: everything the options ask, written as the target. */
export async function finishPicture(job: Job, decoded: Decoded): Promise<readonly string[]> {
  // Some programs leave nothing and call it done.
  if (!(await lstat(join(job.dir, decoded.name)).catch(() => null))?.isFile())
    throw new Failure('processing_failed', `"${job.input.filename}" could not be read: it is damaged or incomplete.`)
  const from = [{ format: AS[decoded.loader], name: job.input.filename }]
  // The program took the page that was asked for.
  const plan = forPassing(convertPlan({ from, to: target(job.to), wishes: { ...job.options, page: undefined } }), job)
  const { planes } = decoded
  const inputs = [{ loader: decoded.loader, name: job.input.filename, ...(planes && { planes }) }]
  const upright = decoded.upright ?? false
  const name = `out.${job.to}`
  const exact = { ...plan, inputs, upright, page: 0, orient: plan.orient && !upright }
  await ask(job, exact, [join(job.dir, decoded.name)], join(job.dir, name))
  return [name]
}

export interface Prepared extends Done {
  /** In the folder of the hop, which the next program sees as its own. */
  name: string
}

/** The step before a program that encodes: everything the options ask, as a PNG (or other) that it can read. */
export async function preparePicture(job: Job, change: Partial<Plan> = {}, name = 'step.png'): Promise<Prepared> {
  const plan = { ...convertPlan({ from: sources(job), to: 'png', wishes: job.options }), encode: PASSING, ...change }
  const output = join(job.dir, name)
  const done = await ask(job, plan, [job.input.path], output)
  // The program is somebody else.
  await chmod(output, 0o644)
  return { ...done, name }
}
