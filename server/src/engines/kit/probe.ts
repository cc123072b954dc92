/** What of an engine's tools is on this machine. What is missing leaves the catalog, with a word on what would bring it. */
import { existsSync } from 'node:fs'
import type { Engine, Tool } from '../../catalog/engine.ts'
import type { Profile } from '../../ports/sandbox.ts'

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

/** `profiles` are those of the sandbox: an engine that cannot be boxed here is as good as missing. */
export function probe(engines: readonly Engine[], profiles: readonly Profile[]): Probed[] {
  return engines.map((engine) => {
    const missing = engine.tools.filter((tool) => !isThere(tool))
    const boxed = (engine.residents ?? []).every(({ spec }) => profiles.includes(spec.profile ?? 'strict'))
    return { engine, ready: missing.length === 0 && boxed, missing }
  })
}
