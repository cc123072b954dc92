/**
 * Sends what is to be told to webhooks: takes deliveries that are due, posts them, writes down what came of it. A delivery
 * is put off before it is sent, so whoever dies in between leaves it to the next start: it is sent at least once, always
 * under the same id.
 */
import type { JsonObject } from '../core/task.ts'
import { pauseAfter, signatureHeaders } from '../core/webhook.ts'
import { type Bus, DELIVERIES } from '../ports/bus.ts'
import type { Clock } from '../ports/clock.ts'
import type { Attempt, Delivery, Outcome, Told, Webhooks } from '../ports/webhooks.ts'

export interface WebhookSenderDeps {
  webhooks: Webhooks
  bus: Bus
  clock: Clock
  /** The body, as the API shows it. */
  show(told: Told): JsonObject
  /** The plain secrets that sign this delivery, newest first. */
  secretsFor(delivery: Delivery): Promise<readonly string[]>
  /** Throws, with words for the user, when no answer came. */
  post(
    url: string,
    options: { headers: Record<string, string>; body: string; timeout: number; signal: AbortSignal },
  ): Promise<{ status: number; text: string }>
  failed(error: unknown): void
  /** Milliseconds a receiver has to answer. */
  timeout?: number
}

const AT_ONCE = 8
const TIMEOUT = 15_000
/** Who has taken a delivery has this long beyond the time-out; then another may. */
const LEASE = 30_000
/** A receiver is looked after at least this often, whatever was heard. */
const LOOK_EVERY = 30_000
const GONE = 410

/** Answers a function that stops it and waits for what is under way. */
export function startWebhookSender(deps: WebhookSenderDeps): () => Promise<void> {
  const { webhooks, clock, bus, timeout = TIMEOUT } = deps
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | null = null
  let again = false

  async function look(): Promise<void> {
    do {
      again = false
      const now = clock.now()
      const taken = await webhooks.take(now, now + timeout + LEASE, AT_ONCE - running.size)
      for (const delivery of taken) {
        const sending = send(delivery)
          .catch((error) => {
            if (!stopping.signal.aborted) deps.failed(error)
          })
          .finally(() => {
            running.delete(sending)
            wake()
          })
        running.add(sending)
      }
    } while (again && running.size < AT_ONCE)
    const next = await webhooks.nextDue()
    clearTimeout(timer)
    const wait = Math.min(LOOK_EVERY, Math.max(0, (next ?? Number.POSITIVE_INFINITY) - clock.now()))
    if (!stopping.signal.aborted && running.size < AT_ONCE) timer = setTimeout(wake, wait).unref()
  }

  function wake(): void {
    if (stopping.signal.aborted || running.size >= AT_ONCE) return
    again = true
    looking ??= look()
      .catch(deps.failed)
      .finally(() => {
        looking = null
        if (again) wake()
      })
  }

  async function send(delivery: Delivery): Promise<void> {
    const at = clock.now()
    const body = JSON.stringify(deps.show(delivery.told))
    const secrets = await deps.secretsFor(delivery)
    const signed = signatureHeaders({ id: delivery.id, timestamp: Math.floor(at / 1000), body }, secrets)
    const headers = { ...signed, 'webhook-event': delivery.event }
    const answer = await deps
      .post(delivery.url, { headers, body, timeout, signal: stopping.signal })
      .catch((error: unknown) => {
        // The next start sends it again.
        stopping.signal.throwIfAborted()
        return { status: null, text: error instanceof Error ? error.message : String(error) }
      })
    const attempt: Attempt = { at, milliseconds: clock.now() - at, status: answer.status, answer: words(answer) }
    await webhooks.record(delivery.id, attempt, outcomeOf(delivery, answer.status, clock.now()))
    if (answer.status === GONE && delivery.webhook)
      await webhooks.change(
        delivery.webhook,
        { enabled: false, reason: 'The receiver answered 410 Gone.' },
        clock.now(),
      )
  }

  const deaf = bus.subscribe((hint) => {
    if (hint.stream === DELIVERIES.stream) wake()
  })
  wake()
  return async () => {
    deaf()
    clearTimeout(timer)
    stopping.abort(new Error('the server stops'))
    await looking
    await Promise.allSettled(running)
  }
}

const words = ({ status, text }: { status: number | null; text: string }): string =>
  status !== null && status >= 300 && status < 400 ? 'The receiver redirects, which is not followed.' : text

/** "2xx is success; retries with growing delays over a day; 410 switches the hook off." */
function outcomeOf({ attempts }: Delivery, status: number | null, now: number): Outcome {
  if (status !== null && status >= 200 && status < 300) return { status: 'delivered', nextAt: null }
  const pause = status === GONE ? null : pauseAfter(attempts + 1)
  return pause === null ? { status: 'failed', nextAt: null } : { status: 'waiting', nextAt: now + pause }
}
