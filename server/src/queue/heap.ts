/** A binary heap whose items know their place, so that any of them can be moved or taken out without a search. */

export interface Placed {
  /** Index in the heap; -1 outside. Only the heap writes it. */
  at: number
}

export interface Heap<T extends Placed> {
  readonly size: number
  first(): T | undefined
  /** Puts the item in, or to its new place after its order has changed. */
  put(item: T): void
  remove(item: T): void
}

export function createHeap<T extends Placed>(before: (a: T, b: T) => boolean): Heap<T> {
  const items: T[] = []

  const set = (item: T, at: number): void => {
    items[at] = item
    item.at = at
  }
  const rise = (item: T): void => {
    while (item.at > 0) {
      const above = (item.at - 1) >> 1
      const parent = items[above]
      if (!parent || !before(item, parent)) return
      set(parent, item.at)
      set(item, above)
    }
  }
  const sink = (item: T): void => {
    for (;;) {
      const left = items[2 * item.at + 1]
      const right = items[2 * item.at + 2]
      const child = left && right && before(right, left) ? right : left
      if (!child || !before(child, item)) return
      const below = child.at
      set(child, item.at)
      set(item, below)
    }
  }
  const settle = (item: T): void => {
    rise(item)
    sink(item)
  }

  return {
    get size() {
      return items.length
    },
    first: () => items[0],
    put(item) {
      if (item.at < 0) set(item, items.length)
      settle(item)
    },
    remove(item) {
      if (item.at < 0) return
      const last = items.pop()
      if (last && last !== item) {
        set(last, item.at)
        settle(last)
      }
      item.at = -1
    },
  }
}
