/**
 * Who is next in one lane. Each owner has a line, by priority and then by age; between owners the one with the task of
 * the highest priority is next, then the one with the fewest running, then the one whose task is the oldest. An owner
 * who may not run more stands aside. Nothing here costs more than the logarithm of what waits.
 */
import { createHeap, type Heap, type Placed } from './heap.ts'

export interface Standing extends Placed {
  owner: string
  priority: number
  /** Grows with every offer. */
  seq: number
}

/** Somebody who could be next, to be compared with those of other lanes. */
export interface Candidate<E> {
  entry: E
  running: number
}

export interface LaneLine<E extends Standing> {
  readonly waiting: number
  readonly running: number
  add(entry: E): void
  remove(entry: E): void
  next(): Candidate<E> | undefined
  /** The entry leaves the line and counts as running until `done`. */
  start(entry: E): void
  done(owner: string): void
  /** To be called when the owner may run more, or less, for a reason outside this lane. */
  review(owner: string): void
}

interface OwnerLine<E extends Standing> extends Placed {
  running: number
  entries: Heap<E>
}

const goesFirst = (a: Standing, b: Standing): boolean =>
  a.priority !== b.priority ? a.priority > b.priority : a.seq < b.seq

export function isNext(a: Candidate<Standing>, b: Candidate<Standing>): boolean {
  if (a.entry.priority !== b.entry.priority) return a.entry.priority > b.entry.priority
  if (a.running !== b.running) return a.running < b.running
  return a.entry.seq < b.entry.seq
}

export function createLaneLine<E extends Standing>(mayRun: (owner: string) => boolean): LaneLine<E> {
  const owners = new Map<string, OwnerLine<E>>()
  const candidate = (line: OwnerLine<E>): Candidate<E> | undefined => {
    const entry = line.entries.first()
    return entry && { entry, running: line.running }
  }
  const ready = createHeap<OwnerLine<E>>((a, b) => {
    const [first, second] = [candidate(a), candidate(b)]
    return first !== undefined && (second === undefined || isNext(first, second))
  })
  let waiting = 0
  let running = 0

  const lineOf = (owner: string): OwnerLine<E> => {
    const known = owners.get(owner)
    if (known) return known
    const line: OwnerLine<E> = { at: -1, running: 0, entries: createHeap<E>(goesFirst) }
    owners.set(owner, line)
    return line
  }
  /** The line's order depends on its first entry and on what runs: call after either changed. */
  const place = (owner: string, line: OwnerLine<E>): void => {
    if (line.entries.size > 0 && mayRun(owner)) ready.put(line)
    else ready.remove(line)
    if (line.entries.size === 0 && line.running === 0) owners.delete(owner)
  }
  const leave = (entry: E): OwnerLine<E> => {
    const line = lineOf(entry.owner)
    // Out first: the heap compares lines by their first entries, which must not change while it does.
    ready.remove(line)
    line.entries.remove(entry)
    waiting--
    return line
  }

  return {
    get waiting() {
      return waiting
    },
    get running() {
      return running
    },
    add(entry) {
      const line = lineOf(entry.owner)
      line.entries.put(entry)
      waiting++
      place(entry.owner, line)
    },
    remove(entry) {
      place(entry.owner, leave(entry))
    },
    next() {
      const line = ready.first()
      return line && candidate(line)
    },
    start(entry) {
      const line = leave(entry)
      line.running++
      running++
      place(entry.owner, line)
    },
    done(owner) {
      const line = lineOf(owner)
      line.running--
      running--
      place(owner, line)
    },
    review(owner) {
      const line = owners.get(owner)
      if (line) place(owner, line)
    },
  }
}
