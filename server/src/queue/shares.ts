/** How many tasks each owner has running, over all lanes, and how many may be. Knows no task. */

export interface Shares {
  mayRun(owner: string): boolean
  /** What the owner may have running from now on; null for any number. */
  allow(owner: string, most: number | null): void
  start(owner: string): void
  done(owner: string): void
}

/** `changed` is told when the answer for an owner may be another one. */
export function createShares(changed: (owner: string) => void): Shares {
  const limits = new Map<string, number>()
  const running = new Map<string, number>()
  const count = (owner: string): number => running.get(owner) ?? 0
  const set = (owner: string, n: number): void => {
    if (n > 0) running.set(owner, n)
    else running.delete(owner)
    changed(owner)
  }
  return {
    mayRun: (owner) => count(owner) < (limits.get(owner) ?? Number.POSITIVE_INFINITY),
    allow(owner, most) {
      if (most === null) limits.delete(owner)
      else limits.set(owner, most)
      changed(owner)
    },
    start: (owner) => set(owner, count(owner) + 1),
    done: (owner) => set(owner, count(owner) - 1),
  }
}
