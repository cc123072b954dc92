/** Blobs as objects of any bucket that speaks S3. An object appears whole, under a name of its own, and never changes. */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, rm, statfs } from 'node:fs/promises'
import type { Blobs } from '../ports/blobs.ts'
import { type Bucket, openS3, type S3, statusOf } from './s3-client.ts'
import { createIncoming } from './s3-incoming.ts'
import { keepRules, removeLeftovers } from './s3-leftovers.ts'
import { createLent } from './s3-lent.ts'
import { readObject } from './s3-read.ts'
import { sendObject } from './s3-write.ts'

const FILES = 'files/'
const NAME = /^[0-9a-f]{32}$/
/** The bucket removes no more in one request. */
const AT_ONCE = 1000

export interface S3BlobsOptions {
  /** Folder for copies that programs read; emptied at the start. */
  scratch: string
  /** Clients fetch from the bucket, and send to it, by themselves. */
  downloads?: 'redirect' | 'through'
  uploads?: 'direct' | 'through'
  warn(message: string): void
}

export async function createS3Blobs(place: Bucket, options: S3BlobsOptions): Promise<Blobs> {
  const s3 = await openS3(place)
  const far = place.publicEndpoint ? await openS3({ ...place, endpoint: place.publicEndpoint }) : s3
  const { sdk, client, bucket } = s3
  await rm(options.scratch, { recursive: true, force: true })
  await mkdir(options.scratch, { recursive: true, mode: 0o700 })
  await ensureBucket(s3)
  const refused = await keepRules(s3)
  if (refused)
    options.warn(`The bucket "${bucket}" takes no lifecycle rules: ${refused}. The janitor removes leftovers instead.`)

  const keyOf = (blob: string): string => {
    if (!NAME.test(blob)) throw new Error(`"${blob}" is not the name of a blob`)
    return FILES + blob
  }
  const fresh = () => {
    const blob = randomBytes(16).toString('hex')
    return { blob, key: FILES + blob }
  }
  const read: Blobs['read'] = (blob, range) => readObject(s3, keyOf(blob), range)
  const lend = createLent(options.scratch, read)

  const write: Blobs['write'] = async (source, limits) => {
    limits.signal?.throwIfAborted()
    const { blob, key } = fresh()
    return { blob, ...(await sendObject(s3, key, source, limits)) }
  }

  const link: NonNullable<Blobs['link']> = async (blob, { disposition, type, seconds }) => {
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
    const command = new sdk.GetObjectCommand({
      Bucket: bucket,
      Key: keyOf(blob),
      ResponseContentDisposition: disposition,
      ResponseContentType: type,
      ResponseCacheControl: 'private, max-age=3600',
    })
    return getSignedUrl(far.client, command, { expiresIn: seconds })
  }

  return {
    write,
    read,

    async adopt(path) {
      // An engine wrote this: a link would let it name any file of the machine, a pipe would keep us waiting for ever.
      const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
      try {
        const found = await file.stat()
        if (!found.isFile()) throw new Error(`${path} is not a plain file`)
        if (found.nlink !== 1) throw new Error(`${path} has other names`)
        const source = file.createReadStream({ start: 0, autoClose: false })
        const { blob, size } = await write(source, { most: Number.POSITIVE_INFINITY })
        await rm(path)
        return { blob, size }
      } finally {
        await file.close()
      }
    },

    async local(blob) {
      keyOf(blob)
      return lend(blob)
    },

    async remove(blobs) {
      const keys = [...new Set(blobs.map(keyOf))]
      for (let start = 0; start < keys.length; start += AT_ONCE) {
        const Objects = keys.slice(start, start + AT_ONCE).map((Key) => ({ Key }))
        const command = new sdk.DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } })
        const [failed] = (await client.send(command)).Errors ?? []
        if (failed) throw new Error(`the bucket "${bucket}" did not remove ${failed.Key}: ${failed.Code}`)
      }
    },

    async *list() {
      let ContinuationToken: string | undefined
      do {
        const command = new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: FILES, ContinuationToken })
        const page = await client.send(command)
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          const blob = Key.slice(FILES.length)
          if (NAME.test(blob) && LastModified) yield { blob, writtenAt: LastModified.getTime() }
        }
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
      } while (ContinuationToken)
    },

    // The bucket has no end; the disk that copies for programs lie on has one.
    async space() {
      const { bavail, blocks, bsize } = await statfs(options.scratch)
      return { free: bavail * bsize, total: blocks * bsize }
    },
    tidy: (before) => removeLeftovers(s3, before),
    ...(options.downloads === 'redirect' && { link }),
    ...(options.uploads === 'direct' && { incoming: createIncoming(s3, far, fresh) }),
  }
}

/** Refuses to start rather than fail with the first file. */
async function ensureBucket({ sdk, client, bucket }: S3): Promise<void> {
  try {
    await client.send(new sdk.HeadBucketCommand({ Bucket: bucket }))
  } catch (error) {
    const status = statusOf(error)
    // The answer to this question has no words of its own.
    const why = status === 403 ? 'the keys are refused (403)' : `${status ?? ''} ${(error as Error).message}`.trim()
    if (status !== 404) throw new Error(`The bucket "${bucket}" cannot be used: ${why}`)
    try {
      await client.send(new sdk.CreateBucketCommand({ Bucket: bucket }))
    } catch (refusal) {
      const { name } = refusal as Error
      // Another node was quicker.
      if (name === 'BucketAlreadyOwnedByYou' || name === 'BucketAlreadyExists') return
      throw new Error(`The bucket "${bucket}" does not exist, and could not be made: ${name}.`)
    }
  }
}
