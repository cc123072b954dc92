/** The worker's answer, checked and put into words. What a box says is not to be trusted: its own words go to the log only. */
import type { InputFile } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/task.ts'
import type { ProblemCode } from './plan.ts'

type Figures = (name: string) => number

const WORDS: Record<ProblemCode, (figure: Figures, filename: string) => string> = {
  endless: (figure, name) =>
    `The page "${name}" was not ready within ${figure('seconds')} seconds: a script in it does not come to an end.`,
  'too-slow': (figure, name) => `The page "${name}" could not be shown within ${figure('seconds')} seconds.`,
  'too-long': (figure, name) =>
    `The page "${name}" would fill about ${figure('pages')} sheets; at most ${figure('most')} are possible.`,
  'too-tall': (figure, name) =>
    figure('width') > 0
      ? `The page "${name}" is ${figure('width')} × ${figure('height')} pixels, more than a picture of this kind can have (${figure('most')} a side). Set full_page to false, or convert it to pdf.`
      : `The page "${name}" is ${figure('height')} pixels tall; one page of a PDF can have ${figure('most')}. Choose another page_size than auto.`,
  'no-such-pages': (_, name) => `The option page_range asks for pages that "${name}" does not have.`,
  'no-room': () => 'The margins leave no room on the sheet.',
  'not-a-page': (_, name) => `"${name}" could not be read as a web page: it is damaged, incomplete or of another kind.`,
  crashed: (_, name) => `The browser stopped while showing "${name}": the page needs too much memory or is damaged.`,
  failed: (_, name) => `The page "${name}" could not be shown.`,
}

const isCode = (value: Json | undefined): value is ProblemCode =>
  typeof value === 'string' && Object.hasOwn(WORDS, value)

function figuresOf(value: Json | undefined): Figures {
  const figures = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  return (name) => {
    const figure = figures[name]
    return typeof figure === 'number' && Number.isFinite(figure) ? Math.round(figure) : 0
  }
}

export function checkAnswer(answer: JsonObject, { filename }: Pick<InputFile, 'filename'>): void {
  if (answer.done === true) return
  const code = isCode(answer.problem) ? answer.problem : 'failed'
  const words = WORDS[code](figuresOf(answer.figures), filename)
  const detail = typeof answer.detail === 'string' ? answer.detail : ''
  throw new Failure(code === 'endless' || code === 'too-slow' ? 'engine_timeout' : 'processing_failed', words, detail)
}
