/** Containers and blobs, with an account's key or a shared-access token. Every request goes through the guard. */
import type { Readable } from 'node:stream'
import type { RequestPolicy, StoragePipelineOptions } from '@azure/storage-blob'
import { Failure } from '../core/errors.ts'
import type { Guard } from '../net/guard.ts'
import { type Opened, PART, type Parcel, type Storage } from './storage.ts'
import { broken, refused } from './trouble.ts'
import { ask, hostOf, splitUrl, words } from './web.ts'

export interface BlobAccess {
  container: string
  storage_account: string
  storage_access_key?: string | undefined
  sas_token?: string | undefined
  /** Where accounts are; `{account}` stands for the name. */
  url: string
}

/** A wrong key and a token that was tampered with or has expired look the same from here. */
const CREDENTIALS = new Set([
  'AuthenticationFailed',
  'AuthorizationFailure',
  'InvalidAuthenticationInfo',
  'NoAuthenticationInformation',
])
const MOST_BLOCKS = 50_000

/** The SDK is loaded when the first container is used: it costs half a second and 40 MB. */
export async function openBlobs(access: BlobAccess, guard: Guard, signal: AbortSignal): Promise<Storage> {
  const sdk = await import('@azure/storage-blob')
  const { container, storage_account: account } = access
  const base = access.url.replaceAll('{account}', account)
  const host = hostOf(base)
  const sas = access.sas_token?.trim().replace(/^\?/, '')
  const credential = sas
    ? new sdk.AnonymousCredential()
    : new sdk.StorageSharedKeyCredential(account, access.storage_access_key ?? '')
  const options: StoragePipelineOptions = {
    httpClient: carrier(guard, signal),
    // Also for each block of an upload; what surrounds this tries the whole again.
    retryOptions: { maxTries: 3, retryDelayInMs: 200, maxRetryDelayInMs: 2000 },
  }
  const pipeline = sdk.newPipeline(credential, options)
  const blobs = new sdk.ContainerClient(`${base}/${encodeURIComponent(container)}${sas ? `?${sas}` : ''}`, pipeline)

  const of = (blob: string) => `"${blob}" in the container "${container}"`
  const told = (what: string) => (error: unknown) => {
    signal.throwIfAborted()
    if (!(error instanceof sdk.RestError) || error.statusCode === undefined) throw broken(causeOf(error), host)
    const code = error.code ?? ''
    if (code === 'ContainerNotFound')
      throw new Failure('processing_failed', `The container "${container}" does not exist (ContainerNotFound).`)
    throw refused({ status: error.statusCode, code }, { what, host, credentials: CREDENTIALS })
  }

  async function open(name: string, { start, version }: { start: number; version: string | null }): Promise<Opened> {
    const answer = await blobs
      .getBlobClient(name)
      .download(start, undefined, {
        abortSignal: signal,
        maxRetryRequests: 0,
        ...(version && { conditions: { ifMatch: version } }),
      })
      .catch(told(of(name)))
    const length = answer.contentLength
    const from = answer.contentRange ? Number(/^bytes (\d+)-/.exec(answer.contentRange)?.[1]) : 0
    return {
      body: answer.readableStreamBody as unknown as AsyncIterable<Uint8Array>,
      size: length === undefined ? null : from + length,
      start: from,
      version: answer.etag ?? null,
    }
  }

  /** Blocks are nothing until the list of them is committed, and go by themselves if it never is. */
  async function put(parcel: Parcel): Promise<{ etag?: string | undefined }> {
    const body = parcel.read()
    try {
      const done = await blobs
        .getBlockBlobClient(parcel.name)
        .uploadStream(body, Math.max(PART, Math.ceil(parcel.size / MOST_BLOCKS)), 2, {
          abortSignal: signal,
          onProgress: ({ loadedBytes }) => parcel.progress(loadedBytes),
          blobHTTPHeaders: {
            blobContentType: parcel.type,
            ...(parcel.disposition && { blobContentDisposition: parcel.disposition }),
            ...(parcel.cacheControl && { blobCacheControl: parcel.cacheControl }),
          },
        })
      return { etag: done.etag?.replaceAll('"', '') }
    } catch (error) {
      return told(of(parcel.name))(error)
    } finally {
      body.destroy()
    }
  }

  return { host, open, put, close: () => {} }
}

/** The SDK wraps what its client threw. */
const causeOf = (error: unknown): unknown => (error instanceof Error && error.cause ? error.cause : error)

function carrier(guard: Guard, signal: AbortSignal): RequestPolicy {
  return {
    async sendRequest(request) {
      const { status, headers, body } = await ask(guard, {
        method: request.method,
        ...splitUrl(request.url),
        headers: request.headers.toJson(),
        body: bodyOf(request.body),
        // Not the request's own: blocks of a stream are sent without one.
        signal,
      })
      const streams = [...(request.streamResponseStatusCodes ?? [])]
      const asStream = streams.includes(status) || (status < 300 && streams.includes(Number.POSITIVE_INFINITY))
      const content = asStream ? { readableStreamBody: body } : { bodyAsText: await words(body) }
      const answered = request.headers.clone()
      for (const name of answered.headerNames()) answered.remove(name)
      for (const [name, value] of Object.entries(headers)) answered.set(name, value)
      return { request, status, headers: answered, ...content }
    },
  }
}

/** Bodies come as text, bytes, or a function that makes a stream each time it is sent. */
function bodyOf(body: unknown): string | Uint8Array | Readable | null {
  const made: unknown = typeof body === 'function' ? body() : body
  if (made instanceof ArrayBuffer) return new Uint8Array(made)
  return (made ?? null) as string | Uint8Array | Readable | null
}
