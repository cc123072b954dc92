/** What is wrong with a draft, step by step, as one goes. Pure; the words are in the texts, the last word is the server's. */
import type { Processing } from '@reforge/sdk'
import { kindOf } from '../../graph/kinds.ts'
import { type Draft, leads, type Step } from './draft.ts'
import type { Flow } from './formats.ts'

export interface Problem {
  /** Of the whole draft when there is none. */
  step?: string
  kind:
    | 'empty'
    | 'badName'
    | 'sameName'
    | 'noInput'
    | 'fewInputs'
    | 'circle'
    | 'missing'
    | 'noFormat'
    | 'cannot'
    | 'cannotFrom'
    | 'cannotWork'
    | 'unused'
  /** Names and formats for the words. */
  about: readonly string[]
  /** May be meant so, or turn out otherwise; does not keep from running. */
  mild?: boolean
}

export interface Catalog {
  /** Fields that an operation must be given. */
  required(operation: string): readonly string[]
  /** What an operation can make: of a format, or of any. Undefined while it is not known. */
  targets(operation: Processing, from?: string): ReadonlySet<string> | undefined
  incoming(step: Step): Flow | null
  canonical(format: string): string
}

const PROCESSING: readonly string[] = ['convert', 'compress', 'merge', 'crop', 'trim']
export const isProcessing = (operation: string): operation is Processing => PROCESSING.includes(operation)

export function problemsOf(draft: Draft, catalog: Catalog): Problem[] {
  if (draft.steps.length === 0) return [{ kind: 'empty', about: [] }]
  return draft.steps.flatMap((step) => {
    const own = [...named(draft, step), ...linked(draft, step), ...filled(step, catalog), ...formats(step, catalog)]
    return own.map((problem) => ({ ...problem, step: step.id }))
  })
}

function named({ steps }: Draft, { id, name }: Step): Problem[] {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(name)) return [{ kind: 'badName', about: [] }]
  return steps.some((other) => other.id !== id && other.name === name) ? [{ kind: 'sameName', about: [name] }] : []
}

function linked(draft: Draft, step: Step): Problem[] {
  const { id, operation, inputs } = step
  const kind = kindOf(operation)
  const used = draft.steps.some((other) => other.inputs.includes(id))
  const unused: Problem[] = kind !== 'export' && !used ? [{ kind: 'unused', about: [], mild: true }] : []
  if (kind === 'import') return unused
  if (inputs.length === 0) return [{ kind: 'noInput', about: [] }]
  if (inputs.some((input) => leads(draft, id, input))) return [{ kind: 'circle', about: [] }]
  const [only] = inputs
  const source = draft.steps.find((other) => other.id === only)
  const one = source && kindOf(source.operation) === 'import' && !source.params.key_prefix
  if (operation === 'merge' && inputs.length === 1 && one) return [{ kind: 'fewInputs', about: [] }]
  return unused
}

function filled({ operation, params }: Step, catalog: Catalog): Problem[] {
  return catalog
    .required(operation)
    .filter((field) => field !== 'input' && field !== 'output_format')
    .filter((field) => params[field] === undefined || params[field] === '')
    .map((field) => ({ kind: 'missing', about: [field] }))
}

function formats(step: Step, catalog: Catalog): Problem[] {
  const { operation, params } = step
  if (!isProcessing(operation)) return []
  const wish = typeof params.output_format === 'string' ? catalog.canonical(params.output_format) : ''
  if (!wish && catalog.required(operation).includes('output_format')) return [{ kind: 'noFormat', about: [] }]
  const all = catalog.targets(operation)
  if (wish && all && !all.has(wish)) return [{ kind: 'cannot', about: [operation, wish] }]
  const flow = catalog.incoming(step)
  return (flow?.formats ?? []).flatMap((from): Problem[] => {
    const targets = catalog.targets(operation, from)
    const mild = flow?.sure ? {} : { mild: true }
    if (!targets || targets.has(wish || from)) return []
    if (targets.size === 0) return [{ kind: 'cannotWork', about: [operation, from], ...mild }]
    return wish
      ? [{ kind: 'cannotFrom', about: [from, wish], ...mild }]
      : [{ kind: 'cannotWork', about: [operation, from], ...mild }]
  })
}
