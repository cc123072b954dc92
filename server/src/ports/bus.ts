/** A hint that a stream has new events. Pull is the truth: whoever hears it reads the rows. */
export interface Hint {
  stream: string
  /** The first of the new events. */
  from: number
}

export interface Bus {
  publish(hint: Hint): void
  /** Answers a function that ends the subscription. */
  subscribe(hear: (hint: Hint) => void): () => void
}
