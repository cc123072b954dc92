/** What a page keeps while one looks at another: a value outside of React, and the hook that reads it. */
import { useSyncExternalStore } from 'react'

export interface Held<T> {
  get(): T
  /** What is given replaces what was; a function is given what was. */
  set(next: Partial<T> | ((old: T) => Partial<T>)): void
  subscribe(listener: () => void): () => void
}

export function createHeld<T extends object>(initial: T): Held<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = { ...value, ...(typeof next === 'function' ? next(value) : next) }
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const useHeld = <T extends object>(held: Held<T>): T => useSyncExternalStore(held.subscribe, held.get)
