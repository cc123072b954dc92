/** Sends an object in parts to a session of the storage's own. It exists only once its last byte has arrived. */
import type { Readable } from 'node:stream'
import { Failure } from '../core/errors.ts'
import type { Guard } from '../net/guard.ts'
import { again } from './again.ts'
import { PART, type Parcel } from './storage.ts'
import { Passing } from './trouble.ts'
import { ask, hostOf, type Reply, splitUrl, words } from './web.ts'

/** A request with the account's token. */
export type Call = (
  url: string,
  request: { method: string; headers?: Record<string, string>; body?: string | Uint8Array },
) => Promise<Reply>

interface Way {
  call: Call
  guard: Guard
  signal: AbortSignal
  /** What an answer other than success means. */
  told(reply: Reply): Promise<Failure>
}

/** "308: not complete; `Range` says how much has arrived." */
const MORE = 308

/** Answers the storage's description of the object. */
export async function uploadResumable(start: string, parcel: Parcel, way: Way): Promise<string> {
  const { size } = parcel
  const session = await begin(start, parcel, way)
  const body = parcel.read()
  let sent = 0
  try {
    for await (const part of parts(body)) {
      const begins = sent
      let reply = await piece(session, part, begins, size, way)
      while (reply.status === MORE && arrived(reply) < begins + part.length) {
        const from = arrived(reply)
        if (from < begins) throw new Passing('The storage lost a part of the upload.')
        reply = await piece(session, part.subarray(from - begins), from, size, way)
      }
      sent += part.length
      parcel.progress(sent)
      if (reply.status === 200 || reply.status === 201) return await words(reply.body)
    }
    throw new Passing(`The upload of "${parcel.name}" was not confirmed.`)
  } catch (error) {
    await giveUp(session, way)
    throw error
  } finally {
    body.destroy()
  }
}

async function begin(start: string, parcel: Parcel, { call, told }: Way): Promise<string> {
  const reply = await call(start, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-upload-content-type': parcel.type },
    body: JSON.stringify({
      name: parcel.name,
      contentType: parcel.type,
      ...(parcel.disposition && { contentDisposition: parcel.disposition }),
      ...(parcel.cacheControl && { cacheControl: parcel.cacheControl }),
    }),
  })
  if (reply.status !== 200) throw await told(reply)
  await words(reply.body)
  const { location } = reply.headers
  const session = location === undefined ? null : URL.parse(location, start)
  // The address of a session is a right of its own: it stays with the server that gave it.
  if (!session || session.origin !== new URL(start).origin)
    throw new Failure('processing_failed', `${hostOf(start)} gave no usable address to upload to.`)
  return session.href
}

/** Sends bytes; after a broken connection asks what has arrived and answers that. */
async function piece(session: string, bytes: Uint8Array, from: number, size: number, way: Way): Promise<Reply> {
  let whole = true
  const reply = await again(async () => {
    const range = bytes.length > 0 && whole ? `bytes ${from}-${from + bytes.length - 1}/${size}` : `bytes */${size}`
    const body = whole ? bytes : null
    whole = false
    const answer = await send(session, range, body, way)
    if (answer.status !== MORE && answer.status > 201) throw await way.told(answer)
    return answer
  }, way.signal)
  if (reply.status === MORE) await words(reply.body)
  return reply
}

const send = (session: string, range: string, body: Uint8Array | null, { guard, signal }: Way): Promise<Reply> =>
  ask(guard, {
    method: 'PUT',
    ...splitUrl(session),
    headers: { 'content-range': range, 'content-length': String(body?.length ?? 0) },
    body,
    signal,
  })

async function giveUp(session: string, { guard }: Way): Promise<void> {
  const signal = AbortSignal.timeout(10_000)
  const reply = await ask(guard, { method: 'DELETE', ...splitUrl(session), headers: {}, signal }).catch(() => null)
  if (reply) await words(reply.body)
}

const arrived = ({ headers }: Reply): number => Number(/-(\d+)$/.exec(headers.range ?? '')?.[1] ?? -1) + 1

/** The stream in parts of one size; an empty one is one empty part. */
async function* parts(source: Readable): AsyncGenerator<Uint8Array> {
  let part = Buffer.allocUnsafe(PART)
  let filled = 0
  let any = false
  for await (const chunk of source as AsyncIterable<Buffer>)
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.copy(part, filled, at)
      at += taken
      filled += taken
      if (filled < PART) continue
      any = true
      yield part
      part = Buffer.allocUnsafe(PART)
      filled = 0
    }
  if (filled > 0 || !any) yield part.subarray(0, filled)
}
