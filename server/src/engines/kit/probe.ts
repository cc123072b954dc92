/** What of an engine's tools is on this machine. What is missing leaves the catalog, with a word on what would bring it. */
import { existsSync } from 'node:fs'
import type { Engine, Tool } from '../../catalog/engine.ts'

export interface Probed {
  engine: Engine
  ready: boolean
  missing: readonly Tool[]
}

function isThere({ program }: Tool): boolean {
  if (program.startsWith('/')) return existsSync(program)
  try {
    import.meta.resolve(program)
    return true
  } catch {
    return false
  }
}

export function probe(engines: readonly Engine[]): Probed[] {
  return engines.map((engine) => {
    const missing = engine.tools.filter((tool) => !isThere(tool))
    return { engine, ready: missing.length === 0, missing }
  })
}
