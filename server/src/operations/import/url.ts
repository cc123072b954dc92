/** import/url: fetches a file over HTTP, through the address guard. */
import { Type } from 'typebox'
import { Failure, type TaskErrorCode } from '../../core/errors.ts'
import { bareName } from '../../core/filename.ts'
import { GuardError } from '../../net/guard.ts'
import { operation } from '../operation.ts'
import { filename } from '../params.ts'

/** "401 invalid_credentials, 403 insufficient_permission, else processing_failed naming the status." */
const REFUSED: Record<number, TaskErrorCode> = { 401: 'invalid_credentials', 403: 'insufficient_permission' }

export const importUrl = operation({
  name: 'import/url',
  summary: 'Import a file from a URL.',
  lane: 'io',
  inputs: [0, 0],
  params: Type.Object({
    url: Type.String({ minLength: 1, maxLength: 8192, description: 'http:// or https:// address of the file.' }),
    filename,
  }),
  check({ url }) {
    const parsed = URL.canParse(url) ? new URL(url) : null
    if (!parsed || !['http:', 'https:'].includes(parsed.protocol) || !parsed.hostname)
      return [{ path: 'url', message: 'must be an address that begins with http:// or https://.' }]
    return []
  },
  async run({ params, guard, receive, progress, maxFileSize, signal }) {
    try {
      const answer = await guard.fetchFile(params.url, { signal, maxBytes: maxFileSize })
      if (answer.status < 200 || answer.status > 299) {
        answer.body.destroy()
        const code = REFUSED[answer.status] ?? 'processing_failed'
        throw new Failure(code, `The server of the URL answered with status ${answer.status}.`)
      }
      const name = bareName(params.filename ?? answer.filename ?? 'download')
      return { files: [await receive(metered(answer.body, answer.size, progress), name)] }
    } catch (error) {
      if (error instanceof GuardError) throw new Failure('processing_failed', error.message)
      throw error
    }
  },
})

async function* metered(
  source: AsyncIterable<Uint8Array>,
  size: number | null,
  progress: (percent: number) => void,
): AsyncIterable<Uint8Array> {
  let seen = 0
  for await (const chunk of source) {
    seen += chunk.length
    if (size) progress((seen / size) * 100)
    yield chunk
  }
}
