/** What the pdf-lib worker throws inside the box. The words for the user are the server's (problems.ts). */
import type { ProblemCode } from './plan.ts'

export class DocumentProblem extends Error {
  readonly code: ProblemCode
  readonly figures: { [name: string]: number }

  constructor(code: ProblemCode, detail: string, figures: { [name: string]: number } = {}) {
    super(detail)
    this.code = code
    this.figures = figures
  }
}
