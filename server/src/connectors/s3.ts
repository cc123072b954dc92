/** Buckets of the first kind: whatever speaks S3. Every request goes through the guard; the SDK opens no socket itself. */
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { Failure } from '../core/errors.ts'
import type { Guard } from '../net/guard.ts'
import { s3Handler } from './s3-handler.ts'
import { type Opened, PART, type Parcel, type Storage } from './storage.ts'
import { broken, refused } from './trouble.ts'
import { hostOf } from './web.ts'

export interface S3Access {
  bucket: string
  region: string
  access_key_id: string
  secret_access_key: string
  session_token?: string | undefined
  endpoint?: string | undefined
}

const CREDENTIALS = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidToken',
  'ExpiredToken',
  'TokenRefreshRequired',
  'InvalidSecurity',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
])
/** More parts than this are not taken for one object. */
const MOST_PARTS = 10_000
/** These want the bucket in the host name even at an endpoint that the caller named. */
const BUCKET_IN_HOST = /(^|\.)(amazonaws\.com(\.cn)?|aliyuncs\.com|myqcloud\.com)$/

/** The SDK is loaded when the first bucket is used: it costs half a second and 30 MB. */
export async function openS3(access: S3Access, guard: Guard, signal: AbortSignal): Promise<Storage> {
  const sdk = await import('@aws-sdk/client-s3')
  const { bucket } = access
  const client = new sdk.S3Client(settingsOf(access, guard))
  const host = access.endpoint ? hostOf(access.endpoint) : `s3.${access.region}.amazonaws.com`

  const inWords = (error: unknown, what: string): Failure => {
    if (error instanceof Failure) return error
    if (!isAnswer(error)) return broken(error, host)
    const status = error.$metadata.httpStatusCode ?? 0
    if (status === 301 || error.name === 'AuthorizationHeaderMalformed')
      return new Failure('processing_failed', `The bucket "${bucket}" is not in the region "${access.region}".`)
    if (error.name === 'NoSuchBucket')
      return new Failure('processing_failed', `The bucket "${bucket}" does not exist (NoSuchBucket).`)
    return refused({ status, code: error.name }, { what, host, credentials: CREDENTIALS })
  }
  const of = (key: string) => `"${key}" in the bucket "${bucket}"`
  const told = (what: string) => (error: unknown) => {
    signal.throwIfAborted()
    throw inWords(error, what)
  }

  async function open(key: string, { start, version }: { start: number; version: string | null }): Promise<Opened> {
    const command = new sdk.GetObjectCommand({
      Bucket: bucket,
      Key: key,
      ...(start > 0 && { Range: `bytes=${start}-` }),
      ...(version && { IfMatch: version }),
    })
    const answer = await client.send(command, { abortSignal: signal }).catch(told(of(key)))
    const from = answer.ContentRange ? Number(/^bytes (\d+)-/.exec(answer.ContentRange)?.[1]) : 0
    return {
      body: answer.Body as unknown as AsyncIterable<Uint8Array>,
      size: answer.ContentLength === undefined ? null : from + answer.ContentLength,
      start: from,
      version: answer.ETag ?? null,
    }
  }

  async function* list(prefix: string) {
    let ContinuationToken: string | undefined
    do {
      const command = new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken })
      const page = await client.send(command, { abortSignal: signal }).catch(told(`list the bucket "${bucket}"`))
      for (const { Key, Size } of page.Contents ?? []) if (Key !== undefined) yield { name: Key, size: Size ?? 0 }
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (ContinuationToken)
  }

  async function put(parcel: Parcel): Promise<{ etag?: string | undefined }> {
    const { Upload } = await import('@aws-sdk/lib-storage')
    const body = parcel.read()
    const upload = new Upload({
      client,
      params: {
        Bucket: bucket,
        Key: parcel.name,
        Body: body,
        ContentType: parcel.type,
        ContentDisposition: parcel.disposition,
        CacheControl: parcel.cacheControl,
        ACL: parcel.acl as 'private' | undefined,
      },
      partSize: Math.max(PART, Math.ceil(parcel.size / MOST_PARTS)),
      queueSize: 2,
    })
    upload.on('httpUploadProgress', ({ loaded = 0 }) => parcel.progress(loaded))
    const stop = () => void upload.abort()
    signal.addEventListener('abort', stop)
    try {
      signal.throwIfAborted()
      const { ETag } = await upload.done()
      return { etag: ETag?.replaceAll('"', '') }
    } catch (error) {
      body.destroy()
      await forget(parcel.name, upload.uploadId)
      return told(of(parcel.name))(error)
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** Parts of an upload that came to nothing are paid for until somebody removes them. */
  async function forget(key: string, id: string | undefined): Promise<void> {
    if (id === undefined) return
    const command = new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: id })
    await client.send(command, { abortSignal: AbortSignal.timeout(10_000) }).catch(() => {})
  }

  return { host, open, list, put, close: () => client.destroy() }
}

function settingsOf(access: S3Access, guard: Guard): S3ClientConfig {
  const { bucket, region, endpoint } = access
  const inPath = endpoint !== undefined && !BUCKET_IN_HOST.test(hostOf(endpoint))
  return {
    region,
    ...(endpoint && { endpoint }),
    // A dot in the bucket's name would make a host name that no certificate covers.
    forcePathStyle: inPath || bucket.includes('.'),
    followRegionRedirects: true,
    credentials: {
      accessKeyId: access.access_key_id,
      secretAccessKey: access.secret_access_key,
      ...(access.session_token && { sessionToken: access.session_token }),
    },
    // Many servers refuse the newer checksums; the signature covers the bytes of every part already.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Also for each part of an upload; what surrounds this tries the whole again.
    maxAttempts: 3,
    requestHandler: s3Handler(guard),
  }
}

interface AnswerError extends Error {
  $metadata: { httpStatusCode?: number }
}

const isAnswer = (error: unknown): error is AnswerError =>
  error instanceof Error &&
  '$metadata' in error &&
  (error as AnswerError).$metadata?.httpStatusCode !== undefined &&
  (error as AnswerError).$metadata.httpStatusCode !== 200
