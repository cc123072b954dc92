/** A hint that a stream has new events. Pull is the truth: whoever hears it reads the rows. */
export interface Hint {
  stream: string
  /** The first of the new events. */
  from: number
  /** The last of them, where it is known. */
  to?: number
}

export interface Bus {
  publish(hint: Hint): void
  /** Answers a function that ends the subscription. */
  subscribe(hear: (hint: Hint) => void): () => void
}

/** Not of a stream: something is to be told to a webhook. */
export const DELIVERIES: Hint = { stream: 'deliveries', from: 0 }

const KEY = 'key '
/** Not of a stream either: a key is no more, and whoever is connected with it is to be sent away. */
export const keyRevoked = (id: string): Hint => ({ stream: KEY + id, from: 0 })
export const revokedKey = ({ stream }: Hint): string | null =>
  stream.startsWith(KEY) ? stream.slice(KEY.length) : null

const USER = 'user '
/** Nor this: a user was suspended or is no more; none of their connections stays. */
export const userGone = (id: string): Hint => ({ stream: USER + id, from: 0 })
export const goneUser = ({ stream }: Hint): string | null =>
  stream.startsWith(USER) ? stream.slice(USER.length) : null
