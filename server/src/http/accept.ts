/** "Send `Accept: application/json`. Requesting another format yields 406." */
import { Problem } from '../core/errors.ts'

/** Does the header admit this media type? Absent admits everything; `q=0` refuses. */
export function admits(header: string | undefined, type: string): boolean {
  if (header === undefined || header.trim() === '') return true
  const [family] = type.split('/')
  let best = { rank: -1, q: 0 }
  for (const part of header.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const rank = range === type ? 2 : range === `${family}/*` ? 1 : range === '*/*' ? 0 : -1
    if (rank < 0 || rank < best.rank) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const q = weight ? Number(weight.slice(2)) : 1
    best = { rank, q: Number.isNaN(q) ? 0 : q }
  }
  return best.rank >= 0 && best.q > 0
}

export function requireType(header: string | undefined, type: string): void {
  if (!admits(header, type))
    throw new Problem('not_acceptable', `This address answers with ${type} only; the Accept header asks for ${header}.`)
}
