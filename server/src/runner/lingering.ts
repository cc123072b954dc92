/** Keeps files on loan for a while after their use: whoever did one part of a film most likely does another. */
import type { Blobs } from '../ports/blobs.ts'

/** Milliseconds. */
const LINGER = 60_000

export function createLingering({ local }: Pick<Blobs, 'local'>) {
  const kept = new Map<string, NodeJS.Timeout>()

  /** To be called while the file is on loan, so that no other copy is made. */
  return async function linger(blob: string): Promise<void> {
    const known = kept.get(blob)
    if (known) return void known.refresh()
    const loan = await local(blob).catch(() => null)
    if (!loan) return
    const letGo = (): void => {
      kept.delete(blob)
      void loan.release().catch(() => {})
    }
    kept.set(blob, setTimeout(letGo, LINGER).unref())
  }
}
