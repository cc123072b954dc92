/** Sends bytes over TLS as they are, for requests that no HTTP client would send. */
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { connect } from 'node:tls'
import type { Answer, TestServer } from './server.ts'

/** The one answer to it; the connection must be closed by the server. */
export async function rawAnswer(server: TestServer, request: string | Uint8Array): Promise<Answer> {
  const { hostname, port } = new URL(server.url)
  const socket = connect({ host: hostname, port: Number(port), ca: server.ca, servername: hostname })
  await once(socket, 'secureConnect')
  socket.on('error', () => {})
  socket.write(request)
  const whole = (await buffer(socket)).toString('latin1')
  const [head = '', ...rest] = whole.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const text = rest.join('\r\n\r\n')
  const headers = new Headers(fields.map((field) => [field.split(':')[0] ?? '', field.replace(/^[^:]*:\s*/, '')]))
  const isJson = headers.get('content-type')?.includes('json')
  return { status: Number(line.split(' ')[1]), headers, text, json: isJson ? JSON.parse(text) : null }
}
