/** A file too big for memory goes in and out of a real server, while its resident memory is watched. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestServer } from './server.ts'

const CHUNK = 1 << 20

/** Bytes that do not compress and fit no format, the same for the same number, made as they are asked for. */
export function* noise(size: number): Generator<Buffer> {
  let seed = createHash('sha256').update('noise').digest()
  for (let left = size; left > 0; left -= CHUNK) {
    seed = createHash('sha256').update(seed).digest()
    const block = Buffer.alloc(Math.min(CHUNK, left), seed)
    yield block
  }
}

const hashOf = async (source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of source) hash.update(chunk)
  return hash.digest('hex')
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

/** Watches until `work` is done; answers the most it saw. */
async function peakWhile<T>(pid: number, work: Promise<T>): Promise<{ value: T; peak: number }> {
  let peak = 0
  let done = false
  const watch = (async () => {
    while (!done) {
      peak = Math.max(peak, await residentBytes(pid))
      await sleep(50)
    }
  })()
  try {
    return { value: await work, peak }
  } finally {
    done = true
    await watch
  }
}

/** The form as it goes over the wire, with its length known beforehand. */
async function upload(server: TestServer, form: { url: string; parameters: Record<string, string> }, size: number) {
  const boundary = 'big-file-boundary'
  const field = ([name, value]: [string, string]) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = Buffer.from(
    `${Object.entries(form.parameters).map(field).join('')}--${boundary}\r\n` +
      'Content-Disposition: form-data; name="file"; filename="big.dat"\r\nContent-Type: application/octet-stream\r\n\r\n',
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const call = request(form.url, {
    method: 'POST',
    ca: server.ca,
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + size + tail.length,
    },
  })
  const answer = new Promise<number>((resolve, reject) => {
    call.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    call.on('error', reject)
  })
  function* body() {
    yield head
    yield* noise(size)
    yield tail
  }
  await pipeline(Readable.from(body()), call)
  return answer
}

export interface Moved {
  status: number
  /** Bytes the server's memory grew while it took the file in, and while it gave it out. */
  grewUp: number
  grewDown: number
  identical: boolean
}

export async function moveBigFile(server: TestServer, size: number): Promise<Moved> {
  const small = await server.call('POST', '/v1/process/import/upload')
  await upload(server, small.json.result.form, 8 * CHUNK)
  const before = await residentBytes(server.pid)

  const { json: task } = await server.call('POST', '/v1/process/import/upload')
  const { value: status, peak: up } = await peakWhile(server.pid, upload(server, task.result.form, size))
  const { json: done } = await server.call('GET', `/v1/process/tasks/${task.id}/wait`)

  const download = (async () => {
    const answer = await server.fetch(done.result.url)
    if (!answer.body) throw new Error('the download has no body')
    return hashOf(answer.body)
  })()
  const { value: hash, peak: down } = await peakWhile(server.pid, download)
  return { status, grewUp: up - before, grewDown: down - before, identical: hash === (await hashOf(noise(size))) }
}
