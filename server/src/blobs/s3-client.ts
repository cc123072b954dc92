/**
 * The bucket that holds the service's own files, and how long it is waited for. The operator names it, so its address is
 * not guarded as those of callers are.
 */
import { createHash } from 'node:crypto'
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'

export interface Bucket {
  bucket: string
  region: string
  accessKey: string
  secretKey: string
  /** null for Amazon's own. */
  endpoint: string | null
  /** Where clients find the bucket, if they see it under another address than we do. */
  publicEndpoint: string | null
  /** The bucket's name in the path, not in the host's name. */
  forcePathStyle: boolean
}

export type Sdk = typeof import('@aws-sdk/client-s3')

/** Everything that speaks to the bucket is given this. */
export interface S3 {
  sdk: Sdk
  client: S3Client
  bucket: string
}

const PATIENCE = 60_000
const LONGEST_PAUSE = 4_000
/** A download holds a connection for as long as its reader is slow. */
const CONNECTIONS = 512

export async function openS3(place: Bucket): Promise<S3> {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client(settingsOf(place))
  client.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as { headers: Record<string, string>; body?: unknown; method: string }
      // Older servers know no other sum of a list of names than this, and refuse the list without it.
      if (request.method === 'POST' && typeof request.body === 'string')
        request.headers['content-md5'] = createHash('md5').update(request.body).digest('base64')
      return next(args)
    },
    { step: 'build', name: 'sumOfBody', priority: 'low' },
  )
  return { sdk, client, bucket: place.bucket }
}

export function settingsOf(place: Bucket): S3ClientConfig {
  const agent = { keepAlive: true, maxSockets: CONNECTIONS }
  return {
    region: place.region,
    ...(place.endpoint && { endpoint: place.endpoint }),
    forcePathStyle: place.forcePathStyle,
    credentials: { accessKeyId: place.accessKey, secretAccessKey: place.secretKey },
    // Many servers refuse the newer checksums; the signature covers the bytes of every part already.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    retryStrategy: patience(PATIENCE),
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 120_000, httpAgent: agent, httpsAgent: agent },
  }
}

interface Token {
  getRetryCount(): number
  getRetryDelay(): number
  began: number
}

/**
 * Tries again for as long as `most` milliseconds. The SDK's own gives up sooner the more requests fail at once, which is
 * what a bucket that is away for half a minute looks like.
 */
export function patience(most: number, now: () => number = Date.now) {
  const token = (count: number, delay: number, began: number): Token => ({
    getRetryCount: () => count,
    getRetryDelay: () => delay,
    began,
  })
  return {
    acquireInitialRetryToken: async (): Promise<Token> => token(0, 0, now()),
    async refreshRetryTokenForRetry(last: { getRetryCount(): number }, { errorType, error }: Trouble) {
      const { began } = last as Token
      const count = last.getRetryCount() + 1
      // Spread, so that what failed together does not come back together.
      const delay = Math.min(LONGEST_PAUSE, 100 * 2 ** count) * (0.5 + Math.random() / 2)
      if (!passes(errorType, error) || now() + delay > began + most) throw new Error('not again')
      return token(count, delay, began)
    },
    recordSuccess: () => {},
  }
}

interface Trouble {
  errorType: string
  error?: unknown
}

function passes(type: string, error: unknown): boolean {
  const status = statusOf(error)
  if (type === 'THROTTLING' || type === 'TRANSIENT') return true
  if (status !== undefined) return (status >= 500 && status !== 501) || status === 408 || status === 429
  return (error as Error | undefined)?.name !== 'AbortError'
}

/** What the bucket answered, if that is what went wrong. */
export const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode
