/** A pipeline waits for a silent source even when it is told to stop. */
export async function unless(signal: AbortSignal | undefined, work: Promise<void>): Promise<void> {
  if (!signal) return work
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  // Only the first of the two is heard; the other must not count as unhandled.
  for (const each of [work, stopped]) each.catch(() => {})
  await Promise.race([work, stopped]).finally(() => signal.removeEventListener('abort', stop))
}
