/** What is being merged, kept while one looks at another page. */
import type { Settings } from '../../settings/settings-form.tsx'
import { createHeld } from '../../tools/held.ts'
import { createRun } from '../../tools/run.ts'
import type { Item } from './items.ts'

interface Merging {
  items: readonly Item[]
  /** Undefined: what the files most likely are to become. */
  target?: string | undefined
  /** By target. */
  settings: Readonly<Record<string, Settings>>
}

export const merging = createHeld<Merging>({ items: [], settings: {} })
export const run = createRun()
