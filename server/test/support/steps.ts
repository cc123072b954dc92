/** The steps that end-to-end tests take over and over: bring a file in, create, wait, download. */
import assert from 'node:assert/strict'
import { FormData } from 'undici'
import { dataUri } from './pictures.ts'
import type { Answer, TestServer } from './server.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails when it is not there
export type Shown = any

/** Minutes after which something hangs, also where others use the machine. */
const PATIENCE = 3
/** Minutes within which whatever is hostile has come to its end. */
export const BOUND = 1

/** A job's task by its name. */
export const taskOf = (job: Shown, name: string): Shown => job.tasks?.find((task: Shown) => task.name === name)

export interface Steps {
  /** Creates something under /v1/process; fails the test when it is not created. */
  create(operation: string, body?: unknown): Promise<Shown>
  /** The task or job once it has ended; fails the test when it has not within so many minutes. */
  ended(kind: 'tasks' | 'jobs', id: string, minutes?: number): Promise<Shown>
  /** Creates a task and waits for its end. */
  run(operation: string, body?: unknown): Promise<Shown>
  /** The same, and it must have completed. */
  done(operation: string, body?: unknown): Promise<Shown>
  /** A completed import/base64 task. */
  imported(bytes: Uint8Array, filename?: string): Promise<Shown>
  /** Posts a file to the form of an upload task, parameters first. */
  post(task: Shown, bytes: Uint8Array, filename?: string): Promise<Answer>
  /** The same, and it must be taken; the task as it then is. */
  send(task: Shown, bytes: Uint8Array, filename?: string): Promise<Shown>
  download(url: string): Promise<Buffer>
}

export function stepsOn(server: TestServer): Steps {
  const steps: Steps = {
    async create(operation, body) {
      const { status, text, json } = await server.call('POST', `/v1/process/${operation}`, body)
      assert.equal(status, 201, text)
      return json
    },
    async ended(kind, id, minutes = PATIENCE) {
      for (let minute = 0; minute < minutes; minute++) {
        const { status, text, json } = await server.call('GET', `/v1/process/${kind}/${id}/wait?timeout=60`)
        assert.equal(status, 200, text)
        if (/^(completed|failed|canceled)$/.test(json.status)) return json
      }
      return assert.fail(`it has not ended within ${minutes} minutes`)
    },
    run: async (operation, body) => steps.ended('tasks', (await steps.create(operation, body)).id),
    async done(operation, body) {
      const task = await steps.run(operation, body)
      assert.equal(task.status, 'completed', JSON.stringify(task.result))
      return task
    },
    imported: (bytes, filename = 'photo.png') => steps.done('import/base64', { file: dataUri(bytes), filename }),
    async post({ result: { form } }, bytes, filename = 'photo.png') {
      const body = formOf(form.parameters)
      body.append('file', new Blob([new Uint8Array(bytes)]), filename)
      const answer = await server.fetch(form.url, { method: 'POST', body })
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers as unknown as Headers, text, json: JSON.parse(text) }
    },
    async send(task, bytes, filename) {
      const { status, text, json } = await steps.post(task, bytes, filename)
      assert.equal(status, 200, text)
      return json
    },
    async download(url) {
      const answer = await server.fetch(url)
      assert.equal(answer.status, 200)
      return Buffer.from(await answer.arrayBuffer())
    },
  }
  return steps
}

export function formOf(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}
