/** The worker's answer, checked and put into words. What a box says is not to be trusted: its own words go to the log only. */
import type { InputFile } from '../../catalog/engine.ts'
import { FORMATS } from '../../catalog/formats.ts'
import { Failure } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/task.ts'
import type { ProblemCode } from './plan.ts'

type Figures = (name: string) => number
type Words = (figure: Figures, file: InputFile) => string

const rounded = (points: number): string => String(Number(points.toFixed(1)))

const WORDS: Record<ProblemCode, Words> = {
  unreadable: (_, { filename, format }) =>
    `The file ${filename} is not a readable ${FORMATS[format].title} file: it is damaged, incomplete or of another kind.`,
  unsupported: (_, { filename, format }) =>
    `The file ${filename} is a kind of ${FORMATS[format].title} that a PDF cannot hold. Convert it to png first.`,
  'too-many-pixels': (figure, { filename }) =>
    `The picture ${filename} has ${figure('width')} × ${figure('height')} pixels; at most ${Math.round(figure('most') / 1e6)} million pixels in all are possible.`,
  'no-room': (_, { filename }) => `The option pdf_margin leaves no room on the page for ${filename}.`,
  outside: (figure, { filename }) =>
    `The crop does not lie within page ${figure('page')} of ${filename}, which is ${rounded(figure('width'))} × ${rounded(figure('height'))} pixels at 72 to the inch.`,
  'no-pages': (_, { filename }) => `The file ${filename} has no pages.`,
  'too-complex': (_, { filename }) => `The file ${filename} is too big or has too many parts to be worked on.`,
  failed: (_, { filename }) => `The file ${filename} could not be processed.`,
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

/** The answer itself, or a Failure that says why there is none. */
export function readAnswer(answer: JsonObject, file: InputFile): JsonObject {
  const { problem, figures, detail } = answer
  if (problem === undefined) return answer
  const log = typeof detail === 'string' ? detail.slice(0, 2000) : undefined
  throw new Failure('processing_failed', WORDS[isCode(problem) ? problem : 'failed'](figuresOf(figures), file), log)
}
