/** A problem in words. */
import type { Texts } from '../../texts/texts.tsx'
import { operationName } from '../jobs/words.ts'
import type { Problem } from './problems.ts'

export function problemWords({ kind, about }: Problem, texts: Pick<Texts, 'builder' | 'jobs'>): string {
  const words = texts.builder.problems
  const [first = '', second = ''] = about
  if (kind === 'sameName') return words.sameName(first)
  if (kind === 'missing') return words.missing(first)
  if (kind === 'cannot') return words.cannot(operationName(first, texts), second)
  if (kind === 'cannotFrom') return words.cannotFrom(first, second)
  if (kind === 'cannotWork') return words.cannotWork(operationName(first, texts), second)
  return words[kind]
}
