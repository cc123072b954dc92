/**
 * Finds the rate at which a file gets the size that was asked: "met within 3 % below, never above". Encoders miss a rate by
 * a tenth and more on short films, so each try is measured and the next one corrected. Runs nothing itself.
 */

/** A result below the asked size by no more than this counts as met. */
const CLOSE = 0.97
/** Aimed at: most misses to either side still land. */
const AIM = 0.985
const MOST_TRIES = 14

export interface Try {
  /** Bits a second. */
  rate: number
  bytes: number
}

export interface Aim {
  bytes: number
  seconds: number
  /** Bytes that do not hang on the rate: other streams, the container. */
  fixed: number
  /** The encoder takes no less, and no more. */
  least: number
  most: number
}

/**
 * `short`: at the highest rate still smaller than asked. `jumped`: one rate gives less, the next one more. `missed`: at the
 * lowest still bigger.
 */
export type Landed = { end: 'met' | 'short' | 'jumped'; best: Try } | { end: 'missed'; least: Try }

export const isMet = ({ bytes }: Pick<Aim, 'bytes'>, made: number): boolean => made <= bytes && made >= bytes * CLOSE

export const firstRate = ({ bytes, seconds, fixed, least, most }: Aim): number =>
  clamp(((bytes * AIM - fixed) * 8) / seconds, least, most)

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

/** Straight on from one try. */
const scaled = ({ bytes, fixed }: Aim, { rate, bytes: made }: Try): number => {
  const [wanted, got] = [Math.max(bytes * AIM - fixed, bytes * 0.02), Math.max(made - fixed, made * 0.02)]
  return rate * clamp(wanted / got, 1 / 6, 6)
}

/** Between one that was too small and one that was too big; never close to either, or it would creep. */
const between = ({ bytes }: Aim, under: Try, over: Try): number => {
  const share = (bytes * AIM - under.bytes) / (over.bytes - under.bytes)
  return under.rate + (over.rate - under.rate) * clamp(share, 0.08, 0.92)
}

/** The next rate worth a try; null when there is none. */
export function nextRate(aim: Aim, under: Try | null, over: Try | null): number | null {
  if (under && over) {
    // Not one way: a higher rate made less. Nothing between them is to be trusted more than the halves.
    const [low, high] = [Math.min(under.rate, over.rate), Math.max(under.rate, over.rate)]
    if (high - low < Math.max(20, low * 0.0005)) return null
    return under.rate < over.rate ? between(aim, under, over) : (low + high) / 2
  }
  const one = under ?? over
  if (!one) return firstRate(aim)
  const rate = clamp(scaled(aim, one), aim.least, aim.most)
  return Math.abs(rate - one.rate) < 1 ? null : rate
}

/** A much lower rate gave hardly less, or a much higher one hardly more: the encoder is at its end. */
const stuck = (before: Try | null, now: Try): boolean => {
  if (before === null) return false
  const [rates, sizes] = [now.rate / before.rate, now.bytes / before.bytes]
  return rates < 1 ? rates < 0.7 && sizes > 0.985 : rates > 1.5 && sizes < 1.015
}

export async function land(aim: Aim, make: (rate: number, attempt: number) => Promise<number>): Promise<Landed> {
  let under: Try | null = null
  let over: Try | null = null
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const rate = nextRate(aim, under, over)
    if (rate === null) break
    const now: Try = { rate, bytes: await make(rate, attempt) }
    if (isMet(aim, now.bytes)) return { end: 'met', best: now }
    if (now.bytes > aim.bytes) {
      const lost = under === null && stuck(over, now)
      over = now
      if (lost) break
    } else {
      const full = over === null && stuck(under, now)
      under = under && under.bytes > now.bytes ? under : now
      if (full) break
    }
  }
  if (under) return { end: over ? 'jumped' : 'short', best: under }
  return { end: 'missed', least: over ?? { rate: aim.least, bytes: Number.POSITIVE_INFINITY } }
}
