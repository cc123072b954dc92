/**
 * The program in the box: makes pages of pictures and works out what is to change in documents. It is started by path (see
 * resident.ts), never imported by the server, and may use nothing but pdf-lib, Node's own modules and the files
 * bound beside it.
 */

import { type Reply, serve } from '../resident/inside.ts'
import { bookmarksFor } from './bookmarks.ts'
import { boxesFor } from './crop.ts'
import { mendingOf } from './mend.ts'
import { documentOf } from './picture.ts'
import type { Problem, Question } from './plan.ts'
import { readTold } from './told.ts'
import { DocumentProblem } from './trouble.ts'

function survey(input: Buffer): Reply {
  const { pages, encrypted } = readTold(input)
  if (pages.length === 0) throw new DocumentProblem('no-pages', 'no pages')
  return { answer: { pages: pages.length, encrypted } }
}

/** One that cannot be told must not hide the others: it is asked for again, alone. */
function surveys(inputs: readonly Buffer[]): Reply {
  const found = inputs.map((input) => {
    try {
      return readTold(input)
    } catch {
      return null
    }
  })
  const pages = found.map((told) => told?.pages.length ?? 0)
  return { answer: { pages, encrypted: found.map((told) => told?.encrypted === true) } }
}

async function answer(question: Question, inputs: readonly Buffer[]): Promise<Reply> {
  const [input = Buffer.alloc(0)] = inputs
  switch (question.task) {
    case 'picture':
      return { answer: {}, body: await documentOf(question, input) }
    case 'survey':
      return survey(input)
    case 'surveys':
      return surveys(inputs)
    case 'bookmarks':
      return { answer: {}, body: bookmarksFor(question, inputs) }
    case 'crop':
      return { answer: {}, body: boxesFor(question, input) }
    case 'mend':
      return { answer: {}, body: mendingOf(input) }
  }
}

function problem(error: unknown): Problem {
  if (error instanceof DocumentProblem) return { problem: error.code, figures: error.figures, detail: error.message }
  return {
    problem: 'failed',
    figures: {},
    detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }
}

await serve(async (question, inputs) => {
  try {
    return await answer(question as Question, inputs)
  } catch (error) {
    return { answer: { ...problem(error) } }
  }
})
