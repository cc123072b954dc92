/** How long a task stands still when the worker that runs it is killed, until another has begun it anew. */
import { serveFiles } from '../support/file-server.ts'
import { until } from '../support/until.ts'
import { startTown, type Town } from './town.ts'

/** Milliseconds from the end of one worker to the beginning at another. */
export async function takeover(town: Town): Promise<number> {
  const seen: number[] = []
  await using files = await serveFiles({ '/slow.txt': (_request, response) => hold(response) })
  const held: { end(text: string): unknown }[] = []
  function hold(response: { end(text: string): unknown }) {
    seen.push(Date.now())
    // The second time it is answered.
    if (held.push(response) > 1) response.end('here it is')
  }
  const [first] = town.workers
  if (!first) throw new Error('there is no worker')
  const server = town.apis[0]!.server()
  const body = { url: `${files.url}/slow.txt` }
  const { json } = await server.call('POST', '/v1/process/import/url', body)
  await until(() => seen.length === 1, 'the first worker has begun')
  await town.addWorker({ REFORGE_ENGINES: 'none' })
  await first.stop('SIGKILL')
  const killed = Date.now()
  const { json: ended } = await server.call('GET', `/v1/process/tasks/${json.id}/wait?timeout=60`)
  if (ended.status !== 'completed') throw new Error(`the task is ${ended.status}: ${JSON.stringify(ended.result)}`)
  return (seen[1] ?? Number.NaN) - killed
}

export const startForTakeover = (): Promise<Town> =>
  startTown({
    apis: 1,
    workers: 1,
    env: { REFORGE_ENGINES: 'sharp', REFORGE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8' },
  })
