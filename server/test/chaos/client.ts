/** A caller who never gives up: every request is repeated until it is answered, and every promise is remembered. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { FormData } from 'undici'
import type { Answer } from '../support/server.ts'
import type { Life } from './life.ts'

/** What a client does with its job once it was answered 201. */
export const WISHES = ['convert', 'upload', 'broken', 'cancel', 'delete', 'convert', 'upload'] as const
type Wish = (typeof WISHES)[number]

export interface Promised {
  wish: Wish
  key: string
  body: object
  job: string
  /** The last answer about canceling: true when the server said that the task is canceled. */
  canceled: boolean
  deleted: boolean
}

export interface Files {
  png: Uint8Array
  /** As data URIs: a picture, and something that says it is one. */
  small: string
  broken: string
}

export interface Client {
  /** Makes jobs until told to stop, then finishes what it began. */
  live(over: AbortSignal): Promise<void>
}

interface ClientDeps {
  life: Life
  files: Files
  promised: Promised[]
  /** Told of every answer that no server should give. */
  odd(what: string): void
}

type Named = Record<string, { id: string; result: { form: { url: string; parameters: Record<string, string> } } }>

export function createClient({ life, files, promised, odd }: ClientDeps): Client {
  let turn = Math.floor(Math.random() * WISHES.length)

  /** Until it is answered: a dead server, one that is starting, and one that dies in between are all the same to us. */
  async function insist<A extends Pick<Answer, 'status' | 'text'>>(
    what: string,
    expected: readonly number[],
    ask: () => Promise<A>,
  ): Promise<A> {
    for (;;) {
      const answer = await ask().catch(noAnswer)
      if (answer && expected.includes(answer.status)) return answer
      if (answer && answer.status !== 503) odd(`${what} was answered ${answer.status} ${answer.text.slice(0, 300)}`)
      await sleep(10)
    }
  }

  const bodyOf = (wish: Wish): object => ({
    tag: wish,
    tasks: {
      import:
        wish === 'upload'
          ? { operation: 'import/upload' }
          : {
              operation: 'import/base64',
              file: wish === 'broken' ? files.broken : files.small,
              filename: 'photo.png',
            },
      convert: { operation: 'convert', input: 'import', output_format: 'jpg' },
      export: { operation: 'export/url', input: 'convert' },
    },
  })

  async function upload(form: Named[string]['result']['form']): Promise<void> {
    await insist('an upload', [200, 409], async () => {
      const body = new FormData()
      for (const [name, value] of Object.entries(form.parameters)) body.set(name, value)
      body.set('file', new Blob([Buffer.from(files.png)]), 'photo.png')
      const answer = await life.server().fetch(form.url, { method: 'POST', body })
      return { status: answer.status, text: await answer.text() }
    })
  }

  async function one(wish: Wish): Promise<void> {
    const key = randomUUID()
    const body = bodyOf(wish)
    const call = (method: string, path: string) => () => life.server().call(method, path)
    const post = () => life.server().call('POST', '/v1/process/jobs', body, { 'Idempotency-Key': key })
    const { json } = await insist('a new job', [201], post)
    const promise: Promised = { wish, key, body, job: json.id, canceled: false, deleted: false }
    promised.push(promise)
    const tasks: Named = Object.fromEntries(json.tasks.map((task: { name: string }) => [task.name, task]))
    if (wish === 'upload') await upload(tasks.import!.result.form)
    // Not always at once: the task may be waiting, running or done.
    if (wish === 'cancel' || wish === 'delete') await sleep(Math.random() * 100)
    if (wish === 'cancel') {
      const path = `/v1/process/tasks/${tasks.convert?.id}/cancel`
      promise.canceled = (await insist('a cancel', [200, 409], call('POST', path))).status === 200
    }
    if (wish === 'delete') {
      await insist('a deletion', [200, 404], call('DELETE', `/v1/process/jobs/${json.id}`))
      promise.deleted = true
    } else await insist('waiting', [200], call('GET', `/v1/process/jobs/${json.id}/wait?timeout=2`))
  }

  return {
    async live(over) {
      while (!over.aborted) await one(WISHES[turn++ % WISHES.length]!)
    },
  }
}

/** What fetch throws when the other side is not there, or no longer. */
function noAnswer(error: Error): null {
  if (error.message === 'fetch failed' || error.message === 'terminated') return null
  throw error
}
