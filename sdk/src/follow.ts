/** A job's events, each once and in order, from the first to the final one, across lost connections. */
import { backoff, mayRetry, sleep } from './backoff.ts'
import { networkError, ReforgeError } from './errors.ts'
import type { Http } from './http.ts'
import type { ReforgeEvent } from './schema.ts'
import { createSseParser, type SseMessage } from './sse.ts'

export type FollowedEvent = ReforgeEvent & { id: string }

export interface FollowOptions {
  signal?: AbortSignal
  /** Go on after this event. */
  lastEventId?: string
}

const FINAL = new Set(['job_completed', 'job_failed', 'job_deleted'])
/** The server says something every 15 s; three missed, and the connection is taken for dead. */
const SILENCE = 45_000

export async function* follow(
  http: Http,
  job: string,
  options: FollowOptions = {},
): AsyncGenerator<FollowedEvent, void> {
  const { signal } = options
  let last = options.lastEventId
  for (let lost = 0; ; lost++) {
    let failure: ReforgeError
    try {
      for await (const message of connect(http, job, last, signal)) {
        lost = 0
        last = message.id
        yield eventOf(message)
        if (FINAL.has(message.event)) return
      }
      failure = new ReforgeError('The stream of events ended early.', { code: 'network_error' })
    } catch (error) {
      if (!(error instanceof ReforgeError) || !mayRetry(error, true)) throw error
      failure = error
    }
    if (lost >= http.retries) throw failure
    await sleep(Math.max(backoff(lost, Math.random()), (failure.retryAfter ?? 0) * 1000), signal)
  }
}

async function* connect(
  http: Http,
  job: string,
  last: string | undefined,
  signal?: AbortSignal,
): AsyncGenerator<SseMessage> {
  const closing = new AbortController()
  const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
  const answer = await http.once('GET', `/v1/process/jobs/${encodeURIComponent(job)}/events`, {
    headers: { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) },
    signal: either,
  })
  const reader = answer.body?.getReader()
  const parser = createSseParser()
  const decoder = new TextDecoder()
  try {
    while (reader) {
      const alarm = setTimeout(() => closing.abort(), SILENCE)
      const { done, value } = await reader.read().finally(() => clearTimeout(alarm))
      if (done) return
      yield* parser.push(decoder.decode(value, { stream: true }))
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw networkError(error, http.url)
  } finally {
    closing.abort()
  }
}

/** The server's own words: an event's data is the Task or Job as the API shows it. */
function eventOf({ id, event, data }: SseMessage): FollowedEvent {
  return { id, type: event, data: JSON.parse(data) } as FollowedEvent
}
