/**
 * "Values are checked at creation when the formats are known then, otherwise when the task starts." Follows the formats
 * along the inputs of a request, as far as they are known before anything has run.
 */
import type { Catalog } from '../catalog/catalog.ts'
import { type Ext, extOf } from '../catalog/formats.ts'
import { joiningOf, unfitToJoin } from '../catalog/joining.ts'
import { nearest } from '../catalog/nearest.ts'
import type { Issue } from '../core/errors.ts'
import { at } from '../core/shape.ts'
import type { Task } from '../core/task.ts'
import type { Draft } from './draft.ts'
import { settle } from './settle.ts'

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export function checkFormats(drafts: readonly Draft[], found: ReadonlyMap<string, Task>, catalog: Catalog): Issue[] {
  const byName = new Map(drafts.map((draft) => [draft.name, draft]))
  return drafts.flatMap((draft) =>
    draft.operation?.does && draft.issues.length === 0
      ? checkOne(draft, incoming(draft, byName, found, 0), catalog, !draft.input.some((ref) => byName.has(ref)))
      : [],
  )
}

/** The formats a task will be given, or null when that cannot be told yet. */
function incoming(
  draft: Draft,
  byName: ReadonlyMap<string, Draft>,
  found: ReadonlyMap<string, Task>,
  depth: number,
): Ext[] | null {
  const formats: Ext[] = []
  for (const ref of draft.input) {
    const inner = byName.get(ref)
    const given = inner ? outgoing(inner, byName, found, depth + 1) : finished(found.get(ref))
    if (!given) return null
    formats.push(...given)
  }
  return formats
}

function outgoing(
  draft: Draft,
  byName: ReadonlyMap<string, Draft>,
  found: ReadonlyMap<string, Task>,
  depth: number,
): Ext[] | null {
  if (depth > byName.size || !draft.operation) return null
  const to = extOf(asText(draft.params.output_format) ?? '')
  if (to) return [to]
  const passes = draft.operation.does || (draft.operation.name === 'export/url' && !draft.params.archive_multiple_files)
  return passes ? incoming(draft, byName, found, depth) : null
}

function finished(task: Task | undefined): Ext[] | null {
  const files = task?.status === 'completed' ? task.result?.files : undefined
  const formats = files?.map((file) => extOf(file.format)) ?? [null]
  return formats.every((ext) => ext !== null) ? formats : null
}

/** @param counted whether these are all files there will be: a task that has not run yet may bring more than one */
function checkOne(draft: Draft, known: Ext[] | null, catalog: Catalog, counted: boolean): Issue[] {
  const does = draft.operation!.does!
  const under = (issues: Issue[]) => issues.map((issue) => ({ ...issue, path: at(draft.path, issue.path) }))
  const wish = asText(draft.params.output_format)
  const to = wish === undefined ? null : extOf(wish)
  if (wish !== undefined) {
    const possible = catalog.outputs(does)
    if (!to || !possible.includes(to)) return under([{ path: 'output_format', message: unknownFormat(wish, possible) }])
  }
  const said = asText(draft.params.input_format)
  const claimed = said === undefined ? null : extOf(said)
  // "A wrong `input_format` is accepted at creation and fails the task."
  if (said !== undefined && (!claimed || known?.some((ext) => ext !== claimed))) return []
  const from = known ?? (claimed ? [claimed] : null)
  if (!from?.length) return []
  const options = (draft.params.options ?? {}) as Record<string, unknown>
  const engine = asText(draft.params.engine)
  if (does !== 'merge') {
    const first = settle(catalog, { does, from: [from[0]!], to: to ?? from[0]!, engine, options })
    const joining = Array.isArray(first) ? null : joiningOf(first.route.options, first.values)
    const unfit = joining && known && (counted || known.length > 1) ? unfitToJoin(joining, known) : null
    if (joining) return unfit === null ? [] : under([{ path: `options.${joining.name}`, message: unfit }])
  }
  const groups = does === 'merge' ? [from] : [...new Set(from)].map((ext) => [ext])
  const issues = groups.flatMap((group) => {
    const settled = settle(catalog, { does, from: group, to: to ?? group[0]!, engine, options })
    if (!Array.isArray(settled)) return []
    return known ? settled : settled.filter((issue) => issue.path.startsWith('options'))
  })
  return under([...new Map(issues.map((issue) => [`${issue.path} ${issue.message}`, issue])).values()])
}

function unknownFormat(wish: string, possible: readonly Ext[]): string {
  if (possible.length === 0) return 'cannot be produced: no engine for this operation is installed here.'
  const near = nearest(wish.toLowerCase(), possible)
  const hint = near ? ` Did you mean ${near}?` : ''
  return `"${wish}" is not a format that can be produced here. Possible: ${possible.join(', ')}.${hint}`
}
