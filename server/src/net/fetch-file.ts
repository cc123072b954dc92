/**
 * Downloads over the guarded agent: follows redirects itself, since each of them is a new address to be checked, and
 * hands out the body as a stream that fails rather than grow past its limit. Never buffers a file.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { type Duplex, PassThrough, pipeline, type Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import type { Agent, Dispatcher } from 'undici'
import { headerText, nameFromDisposition, nameFromPaths } from './filename.ts'
import { GuardError, guardError, redirectedError } from './guard-error.ts'
import { followLocation, parseTarget, type Target } from './target.ts'

export interface FetchOptions {
  /** The only limit on the whole; cancels at any point. */
  signal?: AbortSignal
  maxBytes: number
  /** How long the other side may be silent. */
  timeoutMs?: number
  /** Sent to the first origin only. */
  headers?: Readonly<Record<string, string>>
}

export interface FetchedFile {
  status: number
  headers: IncomingHttpHeaders
  /** Without credentials. */
  finalUrl: string
  filename: string | null
  /** As announced; null when the server did not say. */
  size: number | null
  body: Readable
}

const MAX_REDIRECTS = 5
const STALL_MS = 30_000
const REDIRECTS = new Set([301, 302, 303, 307, 308])

export async function fetchFile(agent: Agent, url: string, options: FetchOptions): Promise<FetchedFile> {
  const first = parseTarget(url)
  let target = first
  let headers = { ...(first.authorization && { authorization: first.authorization }), ...options.headers }
  for (let redirects = 0; ; redirects++) {
    const inWords = (error: unknown) => {
      if (options.signal?.aborted) return options.signal.reason
      const plain = guardError(error, target.host)
      return redirects === 0 ? plain : redirectedError(plain, first.host)
    }
    const answer = await ask(agent, target, headers, options).catch((error) => Promise.reject(inWords(error)))
    const location = REDIRECTS.has(answer.statusCode) ? one(answer.headers.location) : undefined
    if (location === undefined) return asFile(answer, target, first, options.maxBytes, inWords)

    answer.body.on('error', () => {}).destroy()
    if (redirects === MAX_REDIRECTS)
      throw new GuardError('redirects', `${first.host} redirects more than ${MAX_REDIRECTS} times.`)
    const next = following(location, target, first)
    // "no credentials across origins": what was meant for one server is not told to the next.
    if (next.origin !== target.origin) headers = {}
    if (next.authorization) headers = { ...headers, authorization: next.authorization }
    target = next
  }
}

function ask(
  agent: Agent,
  target: Target,
  headers: Record<string, string>,
  { signal, timeoutMs = STALL_MS }: FetchOptions,
) {
  return agent.request({
    origin: target.origin,
    path: target.path,
    method: 'GET',
    headers: { 'user-agent': 'Reforge', accept: '*/*', 'accept-encoding': 'identity', ...headers },
    signal,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    // A fresh connection each time: a kept one may be closed by the other side in the moment it is used again.
    reset: true,
  })
}

function following(location: string, from: Target, first: Target): Target {
  let next: Target
  try {
    next = followLocation(headerText(location), from)
  } catch (error) {
    throw redirectedError(guardError(error, from.host), first.host)
  }
  if (from.secure && !next.secure)
    throw new GuardError('redirects', `${first.host} redirects from https to plain http, which is not followed.`)
  return next
}

function asFile(
  answer: Dispatcher.ResponseData,
  target: Target,
  first: Target,
  maxBytes: number,
  inWords: (error: unknown) => Error,
): FetchedFile {
  const tooLarge = () =>
    new GuardError('too_large', `The file at ${first.host} is larger than the ${maxBytes} bytes that are allowed.`)
  const discard = (error: GuardError) => {
    answer.body.on('error', () => {}).destroy()
    return error
  }
  const decoder = decoderFor(answer.headers)
  if (!decoder)
    throw discard(new GuardError('protocol', `${first.host} sends the file in an encoding that is not known.`))
  const announced = decoder instanceof PassThrough ? one(answer.headers['content-length']) : undefined
  const size = announced !== undefined && /^\d+$/.test(announced) ? Number(announced) : null
  // Only for a file: an error page's status says more than its length.
  if (answer.statusCode < 300 && size !== null && size > maxBytes) throw discard(tooLarge())
  const body = pipeline(answer.body, decoder, meter(maxBytes, tooLarge, inWords), () => {})
  const disposition = one(answer.headers['content-disposition'])
  return {
    status: answer.statusCode,
    headers: answer.headers,
    finalUrl: target.origin + target.path,
    filename: (disposition && nameFromDisposition(disposition)) || nameFromPaths(target.path, first.path),
    size,
    body,
  }
}

/** Lets bytes through up to the limit, and puts whatever goes wrong upstream into words. */
function meter(maxBytes: number, tooLarge: () => Error, inWords: (error: unknown) => Error): Transform {
  let seen = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length
      if (seen > maxBytes) done(tooLarge())
      else done(null, chunk)
    },
    destroy: (error, done) => done(error && inWords(error)),
  })
}

/** We ask for no encoding, but files stored encoded come so all the same; the limit then holds for what comes out. */
function decoderFor(headers: IncomingHttpHeaders): Duplex | null {
  const encoding = (one(headers['content-encoding']) ?? '').trim().toLowerCase()
  // Some servers give an archive its own compression as the encoding: undoing it would break the file.
  const itself = /gzip|zstd|brotli/.test(headers['content-type'] ?? '')
  if (itself || encoding === '' || encoding === 'identity') return new PassThrough()
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'deflate') return createInflate()
  if (encoding === 'br') return createBrotliDecompress()
  return encoding === 'zstd' ? createZstdDecompress() : null
}

const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)
