/** A caller of the HTTP API that costs little itself: the machine it measures is its own. */
import { Readable } from 'node:stream'
import { Pool } from 'undici'
import type { TestServer } from '../test/support/server.ts'

interface ShownTask {
  id: string
  name: string
  result: { url?: string; form: { url: string; parameters: Record<string, string> } }
}
interface ShownJob {
  id: string
  status: string
  tasks: ShownTask[]
}

export interface Caller {
  post(job: object): Promise<ShownJob>
  upload(job: ShownJob, task: string, file: Uint8Array, filename: string): Promise<void>
  wait(job: ShownJob): Promise<ShownJob>
  /** Reads the events of a job as they come; answers how many, when told to stop. */
  listen(job: ShownJob): Promise<() => number>
  close(): Promise<void>
}

const JSON_BODY = { 'content-type': 'application/json' }
/** So much is sooner copied than sent in pieces. */
const LITTLE = 64 * 1024
const BOUNDARY = 'reforge-bench-0123456789'

export function createCaller({ url, key, ca }: Pick<TestServer, 'url' | 'key' | 'ca'>, connections: number): Caller {
  const pool = new Pool(url, { connections, connect: { ca }, allowH2: false })
  const authorization = `Bearer ${key}`

  async function call(
    method: 'GET' | 'POST',
    path: string,
    about: Record<string, string>,
    body: string | Buffer | Readable | null,
  ) {
    const headers = { authorization, ...about }
    const answer = await pool.request({ method, path, headers, body })
    const text = await answer.body.text()
    if (answer.statusCode > 299) throw new Error(`${method} ${path} was answered ${answer.statusCode} ${text}`)
    return text
  }

  return {
    post: async (job) => JSON.parse(await call('POST', '/v1/process/jobs', JSON_BODY, JSON.stringify(job))) as ShownJob,

    async upload({ tasks }, name, file, filename) {
      const form = tasks.find((task) => task.name === name)?.result.form
      if (!form) throw new Error(`${name} is no upload`)
      const body = multipart({ ...form.parameters }, file, filename)
      const length = body.reduce((sum, part) => sum + part.byteLength, 0)
      const about = {
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'content-length': String(length),
      }
      await call(
        'POST',
        new URL(form.url).pathname,
        about,
        length <= LITTLE ? Buffer.concat(body) : Readable.from(body),
      )
    },

    async wait({ id }) {
      const job = JSON.parse(await call('GET', `/v1/process/jobs/${id}/wait?timeout=60`, {}, null)) as ShownJob
      if (job.status !== 'completed') throw new Error(`the job is ${job.status}: ${JSON.stringify(job.tasks)}`)
      return job
    },

    async listen({ id }) {
      const headers = { authorization, accept: 'text/event-stream' }
      const { body } = await pool.request({ method: 'GET', path: `/v1/process/jobs/${id}/events`, headers })
      let events = 0
      body.on('data', (part: Buffer) => {
        events += part.toString().split('\n\n').length - 1
      })
      body.on('error', () => {})
      return () => {
        body.destroy()
        return events
      }
    },

    close: () => pool.close(),
  }
}

/** As a program that reads a file from the disk sends it. */
const PIECE = 128 * 1024

/** In pieces: putting a large file between two lines by copying it would cost more than sending it. */
function multipart(fields: Record<string, string>, file: Uint8Array, filename: string): Uint8Array[] {
  const part = (disposition: string): string =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`
  const before = Object.entries(fields).map(([name, value]) => `${part(`name="${name}"`)}${value}\r\n`)
  const opening = `${before.join('')}${part(`name="file"; filename="${filename}"`)}`
  const pieces: Uint8Array[] = []
  for (let from = 0; from < file.length; from += PIECE) pieces.push(file.subarray(from, from + PIECE))
  return [Buffer.from(opening), ...pieces, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]
}
