/** A problem the worker knows by name; anything else that is thrown is `failed`. Inside the box only. */
import type { Problem, ProblemCode } from './plan.ts'

export class Trouble extends Error {
  readonly code: ProblemCode
  readonly figures: Record<string, number>

  constructor(code: ProblemCode, detail: string, figures: Record<string, number> = {}) {
    super(detail)
    this.code = code
    this.figures = figures
  }
}

export function problemOf(error: unknown): Problem {
  if (error instanceof Trouble) return { problem: error.code, figures: error.figures, detail: error.message }
  return { problem: 'failed', figures: {}, detail: error instanceof Error ? error.message : String(error) }
}

/** What takes longer is given up. */
export async function within<T>(limit: number, work: Promise<T>, trouble: () => Trouble): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const clock = setTimeout(() => reject(trouble()), limit)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(clock)
  }
}
