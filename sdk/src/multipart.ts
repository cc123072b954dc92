/** The framing of multipart/form-data around one file, so that the file itself is never held. Pure. */

export interface Frame {
  contentType: string
  head: Uint8Array<ArrayBuffer>
  tail: Uint8Array<ArrayBuffer>
}

/** Names as browsers write them into forms. */
const quoted = (name: string): string => name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22')

/** "Form parameters must come before the file." */
export function frame(parameters: Readonly<Record<string, string>>, filename: string, boundary: string): Frame {
  const fields = Object.entries(parameters).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  )
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(filename)}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const bytes = new TextEncoder()
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: bytes.encode(fields.join('') + file),
    tail: bytes.encode(`\r\n--${boundary}--\r\n`),
  }
}

/** Long and random, so that no file contains it. */
export const newBoundary = (): string => `reforge-${crypto.randomUUID()}`

/** A stream that asks for a piece only when the last one is gone. */
export function streamOf(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel(reason) {
        await iterator.return?.(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
