/** Which formats flow through a draft, as far as that can be told before anything runs. Pure; the server's own rule. */
import { extensionOf } from '../../formats/common.ts'
import { kindOf } from '../../graph/kinds.ts'
import { type Draft, find, type Step } from './draft.ts'

/** By a file's name only: the content may turn out to be something else. */
export interface Flow {
  formats: readonly string[]
  sure: boolean
}

interface FlowContext {
  draft: Draft
  /** Names of the files chosen for the next run, by step. */
  files: ReadonlyMap<string, string>
  /** Extension, or another name of it, to the format's own. */
  known: ReadonlyMap<string, string>
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

function sourceName({ id, params }: Step, files: ReadonlyMap<string, string>): string {
  const chosen = files.get(id)
  if (chosen) return chosen
  const named = asText(params.filename)
  if (named) return named
  const url = URL.parse(asText(params.url))
  return url ? url.pathname : asText(params.key) || asText(params.file_string) || asText(params.blob)
}

/** What a step hands on; null when nobody knows. */
export function outgoing(context: FlowContext, id: string, depth = 0): Flow | null {
  const step = find(context.draft, id)
  if (!step || depth > context.draft.steps.length) return null
  const { operation, params } = step
  if (kindOf(operation) === 'import') {
    if (operation === 'import/webpage') return null
    const format = context.known.get(extensionOf(sourceName(step, context.files).split('/').at(-1) ?? ''))
    return format ? { formats: [format], sure: false } : null
  }
  const to = context.known.get(asText(params.output_format).toLowerCase())
  return to ? { formats: [to], sure: true } : incoming(context, step, depth + 1)
}

export function incoming(context: FlowContext, step: Step, depth = 0): Flow | null {
  const flows = step.inputs.map((input) => outgoing(context, input, depth + 1))
  if (flows.length === 0 || !flows.every((flow) => flow !== null)) return null
  return { formats: [...new Set(flows.flatMap(({ formats }) => formats))], sure: flows.every(({ sure }) => sure) }
}
