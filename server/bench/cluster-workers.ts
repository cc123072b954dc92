/** How the work grows with the workers: jobs a second with one, two and four, each a process, on one machine's cores. */
import { readFileSync } from 'node:fs'
import { family, readProcessTable } from '../src/sandbox/process-table.ts'
import { startTown, type Town } from '../test/cluster/town.ts'
import { dataUri } from '../test/support/pictures.ts'
import { createCaller } from './caller.ts'
import { photo } from './convert.ts'
import { measure } from './measure.ts'
import { ms, perSecond, type Row, times } from './report.ts'

const AT_ONCE = 24
/** Each worker is as one machine with one core. */
const ENV = { REFORGE_ENGINES: 'sharp', REFORGE_CONCURRENCY: '1', REFORGE_LOG_LEVEL: 'error' }

const words = { file: dataUri(Buffer.from('a few words'), 'text/plain'), filename: 'a.txt' }
const small = {
  tasks: {
    import: { operation: 'import/base64', ...words },
    export: { operation: 'export/url', input: 'import' },
  },
}

export async function clusterWorkers(quick: boolean): Promise<Row[]> {
  const png = await photo(1200, 834)
  const picture = {
    tasks: {
      import: { operation: 'import/upload' },
      convert: { operation: 'convert', input: 'import', output_format: 'jpg' },
      export: { operation: 'export/url', input: 'convert' },
    },
  }
  await using town = await startTown({ apis: 2, workers: 1, env: ENV })
  const rows: Row[] = await pickUp(town, quick)
  const first: Record<string, number> = {}
  for (const workers of [1, 2, 4]) {
    while (town.workers.length < workers) await town.addWorker()
    await town.seen(workers)
    for (const [what, job, file, count] of [
      ['engine-free jobs', small, null, quick ? 100 : 600],
      ['pictures (1 megapixel, png to jpg)', picture, png, quick ? 40 : 200],
    ] as const) {
      const before = processorTimeIn(town)
      const { rate, p50 } = await crowd(town, job, file, count)
      const after = processorTimeIn(town)
      first[what] ??= rate
      const gain = `${times(rate / first[what])}`
      rows.push({ what: `${what}, ${workers} worker(s)`, value: `${perSecond(rate)}  ${gain}  p50 ${ms(p50)}` })
      const each = (kind: Kind) => `${kind} ${ms((after[kind] - before[kind]) / (count + AT_ONCE))}`
      if (workers === 1) rows.push({ what: '  processor time of one', value: KINDS.map(each).join(', ') })
    }
  }
  return rows
}

async function crowd(town: Town, job: object, file: Buffer | null, count: number) {
  const callers = town.apis.map((api) => createCaller(api.server(), AT_ONCE))
  const one = async (index: number) => {
    const caller = callers[index % callers.length]!
    const posted = await caller.post(job)
    if (file) await caller.upload(posted, 'import', file, 'photo.png')
    await caller.wait(posted)
  }
  await measure(AT_ONCE, AT_ONCE, one)
  const summary = await measure(count, AT_ONCE, one)
  await Promise.all(callers.map((caller) => caller.close()))
  return summary
}

const KINDS = ['API', 'worker', 'PostgreSQL', 'bucket'] as const
type Kind = (typeof KINDS)[number]

/** Milliseconds so far. What others do on the same machine changes rates, but not this. */
function processorTimeIn(town: Town): Record<Kind, number> {
  const table = readProcessTable()
  const sum = { API: 0, worker: 0, PostgreSQL: 0, bucket: 0 }
  const add = (kind: Kind, pid: number | undefined) => {
    for (const { cpu } of pid ? family(table, pid) : []) sum[kind] += cpu * 1000
  }
  for (const api of town.apis) add('API', api.node().child.pid)
  for (const worker of town.workers) add('worker', worker.node().child.pid)
  for (const { pid, cpu } of family(table, process.pid)) {
    const name = nameOf(pid)
    if (name.startsWith('postgres')) sum.PostgreSQL += cpu * 1000
    if (name.startsWith('swift') || name.startsWith('memcached')) sum.bucket += cpu * 1000
  }
  return sum
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8')
  } catch {
    return ''
  }
}

/** From the record of the task to its start at an idle worker, by the clock that wrote both. */
async function pickUp(town: Town, quick: boolean): Promise<Row[]> {
  const server = town.apis[0]!.server()
  const waits: number[] = []
  for (let round = 0; round < (quick ? 20 : 200); round++) {
    const { json } = await server.call('POST', '/v1/process/import/base64', words)
    const { json: ended } = await server.call('GET', `/v1/process/tasks/${json.id}/wait?timeout=30`)
    waits.push(Date.parse(ended.startedAt) - Date.parse(ended.createdAt))
  }
  const sorted = waits.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return [
    { what: 'a task is picked up by an idle worker, p50', value: ms(at(0.5)) },
    { what: '  p99', value: ms(at(0.99)) },
  ]
}
