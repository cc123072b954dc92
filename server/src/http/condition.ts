/** How this installation is: for `/health`, for the start page of operators. Looks, and changes nothing. */
import type { HttpDeps } from './deps.ts'

export interface EngineState {
  id: string
  title: string
  ready: boolean
  /** What is not there, and the package that brings it. */
  missing: { program: string; debian?: string }[]
}

const LEAST_FREE = 1024 ** 3

/** `unsafe`: works, but whoever sends a file may do what the server may. */
export async function conditionOf(
  { sandbox, queue, blobs, store, settings, nodes }: HttpDeps,
  engines: readonly EngineState[],
) {
  const [disk, depth, tasks] = await Promise.all([blobs.space(), queue.depth(), store.counts()])
  const short = disk !== null && disk.free < LEAST_FREE
  // A worker may be there for imports and exports alone.
  const ok = (engines.length === 0 || engines.some(({ ready }) => ready)) && !short
  const status: 'ok' | 'unsafe' | 'failing' = !ok ? 'failing' : sandbox.kind === 'none' ? 'unsafe' : 'ok'
  return {
    status,
    version: settings.version,
    sandbox: {
      kind: sandbox.kind,
      ...(sandbox.kind === 'none' && {
        warning: 'Engines run without a sandbox: REFORGE_UNSAFE_NO_SANDBOX is set.',
      }),
    },
    engines,
    workers: nodes().filter(({ role }) => role !== 'api').length,
    disk: disk && { ...disk, ...(short && { warning: 'Less than 1 GB is free.' }) },
    queue: depth,
    tasks,
  }
}
