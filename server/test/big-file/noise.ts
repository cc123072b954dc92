/** As many bytes as wanted, made as they are sent and hashed as they come: nothing big is ever held. */
import { createCipheriv, createHash } from 'node:crypto'

const CHUNK = 2 ** 20

/** Like nothing that any format begins with, and the same at every call. */
export function* noise(size: number): Generator<Buffer> {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), Buffer.alloc(16, 9))
  const zeros = Buffer.alloc(CHUNK)
  for (let left = size; left > 0; left -= CHUNK) yield cipher.update(zeros.subarray(0, Math.min(left, CHUNK)))
}

export function hashOfNoise(size: number): string {
  const hash = createHash('sha256')
  for (const chunk of noise(size)) hash.update(chunk)
  return hash.digest('hex')
}

/** The hash of `size` bytes of a stream; `skip` tells from its first chunk where they begin. */
export async function hashOf(
  source: AsyncIterable<Buffer>,
  size: number,
  skip: (first: Buffer) => number,
): Promise<string> {
  const hash = createHash('sha256')
  let at = Number.NaN
  for await (const chunk of source) {
    if (Number.isNaN(at)) at = -skip(chunk)
    hash.update(chunk.subarray(Math.max(0, -at), Math.max(0, size - at)))
    at += chunk.length
  }
  return hash.digest('hex')
}
