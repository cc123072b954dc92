/**
 * Files that clients send to the bucket themselves: a signed form where the bucket takes forms, otherwise a signed PUT.
 * What came is copied inside the bucket to a name of ours, so that nobody who still holds the form can change it.
 */
import { TooLarge } from '../core/errors.ts'
import type { Invitation } from '../ports/blobs.ts'
import { type S3, statusOf } from './s3-client.ts'
import { copyObject } from './s3-copy.ts'

export const INCOMING = 'incoming/'

/** `near` speaks to the bucket; `far` signs what clients will ask for, at the address they know. */
export function createIncoming(near: S3, far: S3, keep: () => { blob: string; key: string }) {
  const { sdk, client, bucket } = near
  let forms: Promise<boolean> | null = null

  const form = async (s3: S3, key: string, size: number, seconds: number) => {
    const { createPresignedPost } = await import('@aws-sdk/s3-presigned-post')
    // As a signed PUT does it: a file that broke off on the way is no file.
    const Conditions = [['content-length-range', size, size] as ['content-length-range', number, number]]
    return createPresignedPost(s3.client, { Bucket: bucket, Key: key, Conditions, Expires: seconds })
  }

  /** Not every bucket takes forms, and none says so: it is tried once. */
  async function takesForms(): Promise<boolean> {
    const { url, fields } = await form(near, `${INCOMING}probe`, 0, 60)
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    body.set('file', new Blob(['']), 'probe')
    const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' })
    await answer.body?.cancel()
    if (answer.ok) await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: `${INCOMING}probe` }))
    if (answer.status >= 500 && answer.status !== 501) throw new Error(`the bucket answered ${answer.status}`)
    return answer.ok
  }

  async function put(key: string, size: number, seconds: number): Promise<Invitation> {
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
    const command = new sdk.PutObjectCommand({ Bucket: bucket, Key: key, ContentLength: size })
    // The length is signed: another one is refused.
    return { method: 'PUT', url: await getSignedUrl(far.client, command, { expiresIn: seconds }), parameters: {} }
  }

  return {
    async invite(name: string, size: number, seconds: number): Promise<Invitation> {
      const key = INCOMING + name
      forms ??= takesForms()
      const isForm = await forms.catch((error) => {
        forms = null
        throw error
      })
      if (!isForm) return put(key, size, seconds)
      const { url, fields } = await form(far, key, size, seconds)
      return { method: 'POST', url, parameters: fields }
    },

    async collect(name: string, most: number): Promise<{ blob: string; size: number } | null> {
      const source = { Bucket: bucket, Key: INCOMING + name }
      const look = (Key: string) => client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key }))
      const found = await look(source.Key).catch(absent)
      if (!found) return null
      const size = found.ContentLength ?? 0
      if (size > most) {
        await client.send(new sdk.DeleteObjectCommand(source))
        throw new TooLarge(most)
      }
      const { blob, key } = keep()
      const copied = await copyObject(near, source.Key, key, { size, etag: found.ETag }).then(() => true, absent)
      if (!copied) return null
      // Not every bucket heeds the condition: the sender may have put another file there since we looked.
      const taken = (await look(key)).ContentLength ?? 0
      await client.send(new sdk.DeleteObjectCommand(source))
      if (taken <= most) return { blob, size: taken }
      await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }))
      throw new TooLarge(most)
    },
  }
}

/** What was looked for is not there, or not any more what it was. */
function absent(error: unknown): null {
  const status = statusOf(error)
  if (status === 404 || status === 412) return null
  throw error
}
