/**
 * Tells other processes. Not inside our transactions: PostgreSQL lets only one transaction that notifies commit at a time,
 * and each would wait for the disk. What is told while the last telling is under way goes together.
 */

export function createNotifier(query: (text: string, values: unknown[]) => Promise<unknown>) {
  let waiting: { channel: string; payload: string }[] = []
  let sending: Promise<void> | null = null

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const told = waiting.splice(0, 1000)
      const values = [told.map(({ channel }) => channel), told.map(({ payload }) => payload)]
      // A hint that is lost is no harm: whoever needs to know also looks by themselves.
      await query('SELECT pg_notify(c, p) FROM unnest($1::text[], $2::text[]) AS told (c, p)', values).catch(() => {})
    }
    sending = null
  }

  return {
    notify(channel: string, payload: string): void {
      waiting.push({ channel, payload })
      sending ??= send()
    },
    async close(): Promise<void> {
      await sending
      waiting = []
    },
  }
}
