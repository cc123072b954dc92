/** An object as a stream of bytes, over as many connections as it takes. */
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type S3, statusOf } from './s3-client.ts'

/** Without a byte in between. */
const TRIES = 5

export const readObject = (s3: S3, key: string, range?: { start: number; end: number }): Readable =>
  Readable.from(bytesOf(s3, key, range), { objectMode: false })

async function* bytesOf({ sdk, client, bucket }: S3, key: string, range?: { start: number; end: number }) {
  let at = range?.start ?? 0
  for (let tries = 1; ; tries++) {
    const Range = range || at > 0 ? `bytes=${at}-${range?.end ?? ''}` : undefined
    const answer = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key, ...(Range && { Range }) }))
    const end = at + (answer.ContentLength ?? 0)
    try {
      for await (const chunk of answer.Body as unknown as AsyncIterable<Uint8Array>) {
        at += chunk.length
        tries = 0
        yield chunk
      }
      if (at >= end) return
      throw new Error('the bucket sent less than it said')
    } catch (error) {
      if (tries >= TRIES || statusOf(error) !== undefined) throw error
      await sleep(200 * 2 ** tries)
    }
  }
}
