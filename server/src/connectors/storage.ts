/**
 * What a storage elsewhere can do, whatever it speaks. A connector implements this and nothing more: trying again,
 * resuming, progress, names and masking are done around it. Types only.
 */
import type { Readable } from 'node:stream'

export interface Opened {
  body: AsyncIterable<Uint8Array>
  /** Of the whole object, also when only its end is read; null when the storage does not say. */
  size: number | null
  /** Where `body` begins. A server that knows no ranges begins at 0 again. */
  start: number
  /** Changes when the content does. */
  version: string | null
}

export interface Listed {
  name: string
  size: number
}

/** A file on its way out. */
export interface Parcel {
  name: string
  size: number
  /** The bytes from the beginning, each time it is called. */
  read(): Readable
  type: string
  disposition?: string | undefined
  cacheControl?: string | undefined
  acl?: string | undefined
  /** Bytes that have arrived so far. */
  progress(bytes: number): void
}

export interface Storage {
  /** The host, as it is named in messages. */
  host: string
  /** Opens an object from byte `start` on; with a `version` only if it still is that one. */
  open(name: string, from: { start: number; version: string | null }): Promise<Opened>
  /** Whole and visible when it resolves; nothing is visible when it does not. May be called again with the same parcel. */
  put(parcel: Parcel): Promise<{ etag?: string | undefined }>
  /** Objects whose names begin with this. */
  list?(prefix: string): AsyncIterable<Listed>
  close(): void
}

/** How much is sent at once, where a storage takes a file in parts. Each task holds one or two of these in memory. */
export const PART = 8 * 1024 * 1024
