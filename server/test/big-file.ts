/**
 * `node server/test/big-file.ts [gigabytes]`: a big file goes in by upload and by URL and comes out as a download and as a
 * ZIP. "Memory does not grow with file size": the server may hold 100 MB more than before, whatever the size.
 */
import { readFileSync } from 'node:fs'
import { download, offer, upload } from './big-file/carry.ts'
import { hashOfNoise } from './big-file/noise.ts'
import { startServer, type TestServer } from './support/server.ts'

export interface Leg {
  name: string
  seconds: number
  /** Bytes of resident memory above what the server held before. */
  grown: number
  /** Whether what came out is what went in. */
  same: boolean
}

const MB = 2 ** 20
export const MOST_GROWN = 100 * MB
/** Everything is done once with little before anything is measured. */
const WARM_UP = 64 * MB
const LOOK_EVERY = 100

export async function carryBigFile(size: number): Promise<Leg[]> {
  await using server = await startServer({
    env: { REFORGE_MAX_FILE_SIZE: '1TB', REFORGE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8' },
  })
  await allLegs(server, WARM_UP)
  return await allLegs(server, size)
}

async function allLegs(server: TestServer, size: number): Promise<Leg[]> {
  const right = hashOfNoise(size)
  using source = await offer(size)
  const legs: Leg[] = []
  const leg = async (name: string, work: () => Promise<boolean>) => void legs.push(await watched(server, name, work))
  const create = async (operation: string, body: object = {}): Promise<Shown> =>
    (await server.call('POST', `/v1/process/${operation}`, body)).json
  const sent = await create('import/upload')
  await leg('upload', () => upload(server, sent.result.form, size).then(() => true))
  const kept = await ended(server, sent.id)
  await leg('download', async () => (await download(server, kept.result.url, size)) === right)
  await remove(server, sent.id)

  const fetched = await create('import/url', { url: source.url })
  await leg('import from a URL', () => ended(server, fetched.id).then(({ result }) => result.size === size))
  const packed = await create('export/url', { input: fetched.id, archive_multiple_files: true })
  await leg('ZIP', () => ended(server, packed.id).then(({ result }) => result.size > size))
  const { result } = await ended(server, packed.id)
  await leg('download of the ZIP', async () => (await download(server, result.url, size, true)) === right)
  await remove(server, fetched.id, packed.id)
  return legs
}

interface Shown {
  id: string
  status: string
  result: { url: string; size: number; form: { url: string; parameters: Record<string, string> } }
}

export async function ended(server: TestServer, id: string): Promise<Shown> {
  for (;;) {
    const { json } = await server.call('GET', `/v1/process/tasks/${id}/wait?timeout=60`)
    if (json.status === 'completed') return json
    if (json.status !== 'processing' && json.status !== 'created')
      throw new Error(`the task is ${JSON.stringify(json)}`)
  }
}

export async function remove(server: TestServer, ...ids: string[]): Promise<void> {
  for (const id of ids) await server.call('DELETE', `/v1/process/tasks/${id}`)
}

/** Does `work` while looking at the server's memory. */
export async function watched({ pid }: TestServer, name: string, work: () => Promise<boolean>): Promise<Leg> {
  const before = residentMemory(pid)
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, residentMemory(pid))
  }, LOOK_EVERY)
  const start = performance.now()
  try {
    const same = await work()
    return { name, seconds: (performance.now() - start) / 1000, grown: most - before, same }
  } finally {
    clearInterval(timer)
  }
}

const residentMemory = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

if (import.meta.main) {
  const size = Math.round(Number(process.argv[2] ?? 3) * 1024) * MB
  const legs = await carryBigFile(size)
  for (const { name, seconds, grown, same } of legs) {
    const speed = Math.round(size / MB / seconds)
    console.log(
      `${name.padEnd(20)} ${seconds.toFixed(1)} s, ${speed} MB/s, ${Math.round(grown / MB)} MB more memory, ${same ? 'the same' : 'NOT the same'}`,
    )
  }
  process.exitCode = legs.every(({ same, grown }) => same && grown < MOST_GROWN) ? 0 : 1
}
