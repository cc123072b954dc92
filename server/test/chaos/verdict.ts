/** What must be true after the storm, asked over HTTP: nothing promised is lost, nothing was done twice, results open. */
import sharp from 'sharp'
import { hasEnded, type JobStatus } from '../../src/core/task.ts'
import type { TestServer } from '../support/server.ts'
import type { Promised } from './client.ts'

export interface Outcome {
  completed: number
  failed: number
  canceled: number
  deleted: number
  /** Running at three kills: given up, as documented. */
  interrupted: number
  downloads: number
}

interface ShownTask {
  name: string
  status: string
  result: { url?: string; errorCode?: string; msg?: string }
}
interface ShownJob {
  status: JobStatus
  tasks: ShownTask[]
}

/** Long enough for everything that is left to be done by a slow machine. */
const PATIENCE = 180_000

export async function judge(server: TestServer, promised: readonly Promised[], wrong: string[]): Promise<Outcome> {
  const outcome: Outcome = { completed: 0, failed: 0, canceled: 0, deleted: 0, interrupted: 0, downloads: 0 }
  const deadline = Date.now() + PATIENCE
  for (const promise of promised) {
    const found = await ended(server, promise.job, deadline)
    const name = `${promise.wish} job ${promise.job}`
    if (promise.deleted) {
      if (found) wrong.push(`${name} was deleted and is there`)
      outcome.deleted++
      continue
    }
    if (!found) wrong.push(`${name} is lost`)
    else if (!hasEnded(found.status)) wrong.push(`${name} has not ended: ${JSON.stringify(found.tasks)}`)
    else await compare(found, promise, name)
    await replay(promise, name)
  }
  const { json } = await server.call('GET', '/v1/process/jobs?per_page=1')
  const expected = promised.filter(({ deleted }) => !deleted).length
  if (json.totalDocs !== expected) wrong.push(`${json.totalDocs} jobs are there where ${expected} were promised`)
  return outcome

  async function compare(job: ShownJob, { wish, canceled }: Promised, name: string): Promise<void> {
    const failed = job.tasks.find(({ status }) => status === 'failed')
    if (job.tasks.some(({ result }) => result.errorCode === 'engine_timeout')) {
      if (job.status === 'failed') outcome.interrupted++
      else wrong.push(`${name} has an interrupted task and is ${job.status}`)
    } else if (wish === 'broken' || canceled) {
      if (job.status !== 'failed') wrong.push(`${name} is ${job.status}`)
      outcome[canceled ? 'canceled' : 'failed']++
    } else if (job.status !== 'completed' || failed)
      wrong.push(`${name} is ${job.status}: ${JSON.stringify(job.tasks)}`)
    else {
      outcome.completed++
      await open(job, name)
    }
  }

  async function open(job: ShownJob, name: string): Promise<void> {
    const url = job.tasks.find((task) => task.name === 'export')?.result.url ?? ''
    const answer = await server.fetch(url)
    const bytes = Buffer.from(await answer.arrayBuffer())
    const format = await sharp(bytes)
      .stats()
      .then(() => sharp(bytes).metadata())
      .then((found) => found.format)
      .catch((error) => String(error))
    if (answer.status !== 200 || format !== 'jpeg') wrong.push(`${name} downloads as ${answer.status} ${format}`)
    outcome.downloads++
  }

  /** "The first answer is replayed": no crash may have let the key be forgotten. */
  async function replay({ body, key, job }: Promised, name: string): Promise<void> {
    const { status, json } = await server.call('POST', '/v1/process/jobs', body, { 'Idempotency-Key': key })
    if (status !== 201 || json.id !== job) wrong.push(`${name} asked for again was answered ${status} ${json?.id}`)
  }
}

async function ended(server: TestServer, id: string, deadline: number): Promise<ShownJob | null> {
  for (;;) {
    const { status, json } = await server.call('GET', `/v1/process/jobs/${id}/wait?timeout=5`)
    if (status === 404) return null
    if (hasEnded(json.status) || Date.now() > deadline) return json
  }
}
