/**
 * Sends bytes of unknown length into an object. Small ones in one request, others in parts, of which a few are held at a
 * time. The object appears when all of it has arrived; whatever ends the sending earlier, nothing of it stays.
 */
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { TooLarge } from '../core/errors.ts'
import { LOOK } from '../core/look.ts'
import type { S3 } from './s3-client.ts'
import { unless } from './unless.ts'

/** The bucket takes at most 10 000 parts, none but the last smaller than 5 MB. */
const PART = 8 * 1024 * 1024
const IN_FLIGHT = 2
const GIVE_UP = 10_000

export interface Sent {
  size: number
  head: Buffer
}

export async function sendObject(
  s3: S3,
  key: string,
  source: AsyncIterable<Uint8Array>,
  { most, signal }: { most: number; signal?: AbortSignal | undefined },
): Promise<Sent> {
  const parts = createParts(s3, key)
  const head: Buffer[] = []
  let size = 0
  let held: Uint8Array[] = []
  let holding = 0
  const take = (): Buffer => {
    const bytes = Buffer.concat(held, holding)
    held = []
    holding = 0
    return bytes
  }
  const sink = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      if (size < LOOK) head.push(Buffer.from(chunk.subarray(0, LOOK - size)))
      size += chunk.byteLength
      if (size > most) return done(new TooLarge(most))
      held.push(chunk)
      holding += chunk.byteLength
      if (holding < PART) return done()
      parts.add(take()).then(() => done(), done)
    },
    final: (done) => void parts.finish(take()).then(() => done(), done),
  })
  try {
    await unless(signal, pipeline(source, sink, { signal }))
    return { size, head: Buffer.concat(head) }
  } catch (error) {
    await parts.forget()
    throw error
  }
}

/** The parts of one object, sent a few at a time. */
function createParts({ sdk, client, bucket }: S3, key: string) {
  const target = { Bucket: bucket, Key: key }
  const stop = new AbortController()
  const options = { abortSignal: stop.signal }
  const sent: { PartNumber: number; ETag: string | undefined }[] = []
  const flying = new Set<Promise<void>>()
  let upload: Promise<string> | null = null
  let whole = false
  let failure: { error: unknown } | null = null

  const begin = async (): Promise<string> => {
    const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(target), options)
    if (UploadId === undefined) throw new Error(`the bucket "${bucket}" began no upload`)
    return UploadId
  }
  const launch = (Body: Buffer): void => {
    const PartNumber = sent.push({ PartNumber: sent.length + 1, ETag: undefined })
    upload ??= begin()
    const sending = upload
      .then((UploadId) => client.send(new sdk.UploadPartCommand({ ...target, UploadId, PartNumber, Body }), options))
      .then(
        ({ ETag }) => {
          sent[PartNumber - 1] = { PartNumber, ETag }
        },
        (error) => {
          failure ??= { error }
        },
      )
      .finally(() => flying.delete(sending))
    flying.add(sending)
  }
  const check = (): void => {
    if (failure) throw failure.error
  }

  return {
    /** Resolves when there is room for another. */
    async add(bytes: Buffer): Promise<void> {
      launch(bytes)
      if (flying.size >= IN_FLIGHT) await Promise.race(flying)
      check()
    },

    async finish(rest: Buffer): Promise<void> {
      if (upload === null) {
        whole = true
        await client.send(new sdk.PutObjectCommand({ ...target, Body: rest }), options)
        return
      }
      if (rest.length > 0) launch(rest)
      await Promise.all(flying)
      check()
      const MultipartUpload = { Parts: sent }
      const UploadId = await upload
      await client.send(new sdk.CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload }), options)
    },

    /** Also removes an object whose arrival was only not confirmed. */
    async forget(): Promise<void> {
      stop.abort()
      await Promise.all(flying)
      const UploadId = await upload?.catch(() => undefined)
      const within = { abortSignal: AbortSignal.timeout(GIVE_UP) }
      const quietly = () => {}
      if (UploadId)
        await client.send(new sdk.AbortMultipartUploadCommand({ ...target, UploadId }), within).catch(quietly)
      if (UploadId || whole) await client.send(new sdk.DeleteObjectCommand(target), within).catch(quietly)
    },
  }
}
