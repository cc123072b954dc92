/** The worker's answer, checked and put into words. What a box says is not to be trusted: its own words go to the log only. */

import type { InputFile } from '../../catalog/engine.ts'
import { FORMATS } from '../../catalog/formats.ts'
import { Failure } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/task.ts'
import type { Done, ProblemCode } from './plan.ts'

type Figures = (name: string) => number
type Words = (figure: Figures, file: InputFile) => string

const millions = (pixels: number): string => `${Math.round(pixels / 1e6)} million`

/** Rounded up, so that asking for that size succeeds. */
const size = (bytes: number): string =>
  bytes >= 1e6 ? `${Math.ceil(bytes / 1e5) / 10} MB` : `${Math.ceil(bytes / 100) / 10} KB`

/** "must be met or the task fails saying the smallest reachable size" */
export const unreachable = (filename: string, wanted: number, smallest: number): string =>
  `The picture ${filename} cannot be made as small as ${size(wanted)}; the smallest reachable size is ${size(smallest)}.`

const pixels = (figure: Figures): string => {
  const frames = figure('frames') > 1 ? `${figure('frames')} frames of ` : ''
  return `${frames}${figure('width')} × ${figure('height')} pixels`
}

const WORDS: Record<ProblemCode, Words> = {
  unreadable: (_, { filename, format }) =>
    `The file ${filename} is not a readable ${FORMATS[format].title} image: it is damaged, incomplete or of another kind.`,
  'too-many-pixels': (figure, { filename }) =>
    figure('width') > 0
      ? `The picture ${filename} has ${pixels(figure)}; at most ${millions(figure('most'))} pixels in all are possible.`
      : `The picture ${filename} has more pixels than are possible.`,
  'result-too-big': (figure, { filename }) =>
    `The picture ${filename} would become ${pixels(figure)}; at most ${millions(figure('most'))} pixels in all are possible.`,
  outside: (figure, { filename }) =>
    `The crop does not lie within the picture ${filename}, which is ${figure('width')} × ${figure('height')} pixels.`,
  'no-such-page': (figure, { filename }) =>
    figure('pages') === 1
      ? `The file ${filename} has only one page.`
      : `The file ${filename} has no such page; it has ${figure('pages')} pages.`,
  'mixed-pages': (_, { filename }) =>
    `The pages of ${filename} differ in size or kind and cannot be kept together. Choose one with the option page.`,
  'nothing-left': (figure, { filename }) =>
    `Nothing of ${filename} lies within that time; it lasts ${figure('seconds')} seconds.`,
  unreachable: (figure, { filename }) => unreachable(filename, figure('wanted'), figure('smallest')),
  'too-wide': (_, { filename }) => `The picture ${filename} is wider or taller than its new format can hold.`,
  'not-animated': (_, { filename }) => `The file ${filename} is a still picture: there is nothing to trim.`,
  'too-complex': (_, { filename }) =>
    `The SVG drawing ${filename} shows its own parts so many times over that it cannot be drawn.`,
  failed: (_, { filename }) => `The picture ${filename} could not be written in the new format.`,
}

const isCode = (value: Json | undefined): value is ProblemCode =>
  typeof value === 'string' && Object.hasOwn(WORDS, value)

function figuresOf(value: Json | undefined): Figures {
  const figures = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  return (name) => {
    const figure = figures[name]
    return typeof figure === 'number' && Number.isFinite(figure) ? figure : 0
  }
}

/** What was done, or a Failure that says why not. */
export function readAnswer(answer: JsonObject, inputs: readonly InputFile[]): Done {
  const { problem, width, height, frames, pages, unchanged, reached } = answer
  if (problem === undefined && typeof width === 'number' && typeof height === 'number' && typeof frames === 'number') {
    const step = figuresOf(reached)
    const found = reached ? { step: step('step'), scale: step('scale') } : null
    const all = typeof pages === 'number' ? pages : frames
    return { width, height, frames, pages: all, unchanged: unchanged === true, reached: found }
  }
  const index = typeof answer.input === 'number' ? answer.input : 0
  throw failureOf(answer, inputs[index] ?? inputs[0])
}

/** What was made of a small thing, or a Failure that says why not. */
export function readChore(answer: JsonObject, file: InputFile): JsonObject {
  if (typeof answer.made === 'boolean') return answer
  throw failureOf(answer, file)
}

function failureOf(answer: JsonObject, file: InputFile | undefined): Failure {
  const { problem } = answer
  const detail =
    typeof answer.detail === 'string' ? answer.detail.slice(0, 2000) : JSON.stringify(answer).slice(0, 2000)
  if (!file) return new Failure('processing_failed', 'The picture could not be processed.', detail)
  const words = WORDS[isCode(problem) ? problem : 'failed']
  return new Failure('processing_failed', words(figuresOf(answer.figures), file), detail)
}
