/** Answers what cannot even be read as an HTTP request, in the same shape as everything else. */
import type { Socket } from 'node:net'
import { Problem } from '../core/errors.ts'
import { bodyOf } from './errors.ts'
import { newRequestId } from './request-id.ts'

/** Closing with bytes unread would reset the connection, and the client might lose the answer. */
const LINGER = 1000

const WORDS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers of the request are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not come in time.',
}

export function answerGarbage({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  // Told again of every piece that still comes after the first.
  if (socket.writableEnded) return
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const problem = new Problem('invalid_parameter', WORDS[code] ?? 'This is not a request that can be understood.')
  const body = JSON.stringify(bodyOf(problem, newRequestId()))
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER)
  socket.once('close', () => clearTimeout(timer))
}
