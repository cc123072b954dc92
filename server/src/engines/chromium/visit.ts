/** What a visit to a web page is asked, and what it comes to. Types only: both sides of the box read them. */

export interface Visit {
  url: string
  viewport: { width: number; height: number }
  /** Milliseconds for the page itself to arrive. */
  within: number
  /** Milliseconds to wait after loading. */
  delay: number
  hideCookie: boolean
  /** Requests a page may make. */
  requests: number
}

export type Visited =
  | { outcome: 'page'; title: string; url: string; incomplete: boolean }
  /** The server answered with an error. */
  | { outcome: 'status'; status: number; url: string }
  | { outcome: 'download'; url: string }
  /** No answer at all: the network's own words, and where it happened. */
  | { outcome: 'unreachable'; error: string; url: string }
  | { outcome: 'endless'; url: string }
  | { outcome: 'requests' }
  /** The process of the page died. */
  | { outcome: 'crashed' }
  | { outcome: 'failed'; detail: string }

/** What a way out of the box tells; see net/egress-proxy.ts. */
export interface WayOut {
  socket: string
  refusal(host: string): Error | undefined
  spent(): 'bytes' | 'requests' | null
  close(): Promise<void>
}
