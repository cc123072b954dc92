/** Requests of callers, counted over all nodes. */
export interface Requests {
  /** Adds to what was counted in that minute, and answers the new sums: those of all nodes. */
  add(minute: number, counts: ReadonlyMap<string, number>): Promise<Map<string, number>>
  /** Forgets minutes before that one. */
  expire(minute: number): Promise<void>
}
