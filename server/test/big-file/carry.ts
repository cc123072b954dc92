/** Carries big files to and from a server, in streams. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TestServer } from '../support/server.ts'
import { hashOf, noise } from './noise.ts'

export interface Form {
  url: string
  parameters: Record<string, string>
}

const BOUNDARY = 'reforge-big-file-0123456789'

export async function upload({ ca }: TestServer, { url, parameters }: Form, size: number): Promise<void> {
  const part = (disposition: string): string =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`
  const fields = Object.entries(parameters).map(([name, value]) => `${part(`name="${name}"`)}${value}\r\n`)
  const head = Buffer.from(`${fields.join('')}${part('name="file"; filename="big.bin"')}`)
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  const body = function* () {
    yield head
    yield* noise(size)
    yield tail
  }
  const headers = {
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'content-length': head.length + size + tail.length,
  }
  const post = request(url, { method: 'POST', ca, headers })
  const answered = once(post, 'response')
  await pipeline(Readable.from(body()), post)
  const [answer] = (await answered) as [IncomingMessage]
  const text = (await answer.toArray()).join('')
  if (answer.statusCode !== 200) throw new Error(`the upload was answered ${answer.statusCode} ${text}`)
}

/** The hash of a download, or of the first file of one that is a ZIP without compression. */
export async function download({ ca }: TestServer, url: string, size: number, zipped = false): Promise<string> {
  const get = request(url, { ca }).end()
  const [answer] = (await once(get, 'response')) as [IncomingMessage]
  // The local header of a ZIP has 30 bytes, then a name and extra fields whose lengths are its last two numbers.
  return hashOf(answer, size, (first) => (zipped ? 30 + first.readUInt16LE(26) + first.readUInt16LE(28) : 0))
}

export interface Source {
  url: string
  [Symbol.dispose](): void
}

/** A web server on loopback that has one file. */
export async function offer(size: number): Promise<Source> {
  const web = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': size, 'content-type': 'application/octet-stream' })
    pipeline(Readable.from(noise(size)), response).catch(() => {})
  })
  web.listen(0, '127.0.0.1')
  await once(web, 'listening')
  const address = web.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://127.0.0.1:${port}/big.bin`, [Symbol.dispose]: () => void web.close() }
}
