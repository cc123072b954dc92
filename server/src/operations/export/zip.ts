/** A ZIP as a stream of bytes, stored without compression: what people convert is compressed already. */
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { makeZip } from 'client-zip'
import { numbered } from '../../core/filename.ts'

export interface Entry {
  name: string
  open(): Readable
}

export function zip(entries: readonly Entry[]): AsyncIterable<Uint8Array> {
  return Readable.fromWeb(makeZip(parts(entries)) as WebStream<Uint8Array>)
}

/** Files are opened one after another, as the archive reaches them. */
function* parts(entries: readonly Entry[]) {
  const taken = new Set<string>()
  for (const entry of entries) {
    const name = freeName(entry.name, taken)
    taken.add(name.toLowerCase())
    yield { name, input: entry.open(), lastModified: new Date() }
  }
}

/** The name, or the first numbered one that is not taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name.toLowerCase())) return name
  for (let n = 1; ; n++) {
    const candidate = numbered(name, n)
    if (!taken.has(candidate.toLowerCase())) return candidate
  }
}
