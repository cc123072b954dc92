/** What is to become of each file: its format, its target, its settings, and the task that says so. Pure. */

import type { JobBody, OptionDescriptor, TaskDefinition } from '@reforge/sdk'
import { extensionOf, type FormatInfo, likely } from '../../formats/common.ts'
import { effectiveValues } from '../../settings/conditions.ts'
import type { Settings } from '../../settings/settings-form.tsx'
import { tasksOf } from '../../work/run.ts'
import type { Aim } from './aim.ts'
import type { Item, ListState } from './list.ts'

export interface Plan {
  /** The format as the server calls it; the file's own extension when it knows none; empty without one. */
  from: string
  family: string | undefined
  /** What it can become; undefined while that is asked for. */
  possible: readonly FormatInfo[] | undefined
  to: string | undefined
  /** The page's target is not possible for this file. */
  refused: string | undefined
  /** Under which its settings are kept, unless it has its own. */
  pair: string
  settings: Settings
}

export interface Known {
  /** Every format of the installation, by extension and alias. */
  formats: ReadonlyMap<string, FormatInfo>
  /** By input format: what it can become. */
  targets: ReadonlyMap<string, readonly FormatInfo[]>
}

const NOTHING: Settings = { values: {} }

export const fromOf = (name: string, formats: Known['formats']): string => {
  const ext = extensionOf(name)
  return formats.get(ext)?.ext ?? ext
}

type Aims = Pick<ListState, 'target' | 'settings'>

export function planOf(aim: Aim, item: Item, { target, settings }: Aims, known: Known): Plan {
  const from = fromOf(item.name, known.formats)
  const family = known.formats.get(from)?.family
  const possible = known.targets.get(from)
  const can = (ext: string | undefined) => possible?.some((format) => format.ext === ext) ?? false
  const wanted = item.target ?? target
  const usual = possible && (wanted === undefined ? likely(possible, family, from) : undefined)
  const to = aim === 'compress' ? compressed(from, possible) : can(wanted) ? wanted : usual
  const pair = `${from}>${to ?? ''}`
  return {
    from,
    family,
    possible,
    to,
    refused: aim === 'convert' && possible && wanted !== undefined && !can(wanted) ? wanted : undefined,
    pair,
    settings: item.settings ?? settings[pair] ?? NOTHING,
  }
}

/** Stays what it is, where that is possible. */
const compressed = (from: string, possible: readonly FormatInfo[] | undefined): string | undefined =>
  possible?.find(({ ext }) => ext === from)?.ext ?? possible?.[0]?.ext

/** How it would be made now: the same text, the same result. */
export const wayOf = (plan: Plan): string => JSON.stringify([plan.to, plan.settings])

export function taskOf(
  aim: Aim,
  { from, to = '', settings }: Plan,
  descriptor: OptionDescriptor | undefined,
): TaskDefinition {
  const options = effectiveValues(descriptor?.options ?? [], settings.values)
  const how = {
    ...(Object.keys(options).length > 0 && { options }),
    ...(settings.engine !== undefined && { engine: settings.engine }),
  }
  if (aim === 'convert') return { operation: 'convert', output_format: to, ...how }
  return { operation: 'compress', ...(to !== from && to && { output_format: to }), ...how }
}

export const bodyOf = (item: Item, task: TaskDefinition): JobBody => ({ tasks: tasksOf([item.source], task) })
