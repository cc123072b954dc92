/** How many jobs a second are accepted: over HTTPS on kept connections, each of them on the disk before its answer. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Caller } from './caller.ts'
import { measure, type Summary } from './measure.ts'
import { ms, perSecond, type Row, times } from './report.ts'

/** Waits for an upload that never comes: nothing runs, so only accepting is measured. */
export const JOB = {
  tasks: {
    import: { operation: 'import/upload' },
    convert: { operation: 'convert', input: 'import', output_format: 'jpg' },
    export: { operation: 'export/url', input: 'convert' },
  },
}

export async function accepting(caller: Caller, data: string, quick: boolean): Promise<Row[]> {
  const rounds = quick ? 1 : 3
  const sync = await best(rounds, () => syncing(join(data, 'bench'), quick ? 50 : 200))
  const rows: Row[] = [{ what: 'one write made durable (fsync)', value: ms(sync.p50) }]
  await measure(50, 4, () => caller.post(JOB))
  for (const atOnce of [1, 16]) {
    const jobs = (quick ? 100 : 400) * (atOnce > 1 ? 3 : 1)
    const { rate, p50, p99 } = await best(rounds, () => measure(jobs, atOnce, () => caller.post(JOB)))
    rows.push(
      { what: `jobs accepted, ${atOnce} at once`, value: perSecond(rate) },
      { what: `  p50 (against one fsync)`, value: `${ms(p50)} (${times(p50 / sync.p50)})` },
      { what: '  p99', value: ms(p99) },
    )
  }
  return rows
}

async function best(rounds: number, once: () => Promise<Summary>): Promise<Summary> {
  let found = await once()
  for (let round = 1; round < rounds; round++) {
    const now = await once()
    if (now.rate > found.rate) found = now
  }
  return found
}

async function syncing(path: string, count: number): Promise<Summary> {
  await using file = await open(path, 'w')
  const page = Buffer.alloc(4096, 1)
  return await measure(count, 1, async () => {
    await file.write(page)
    await file.datasync()
  })
}
