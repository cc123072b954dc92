/**
 * Stands in for the second kind of bucket, since no complete emulator of it can be installed. What is real: the token
 * endpoint verifies the RS256 signature, issuer, audience and expiry of the claim with the account's public key, and the
 * object endpoints accept only tokens that were given out. What is not: the storage behind them is a map in memory.
 */
import { generateKeyPairSync, randomUUID, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

interface Kept {
  bytes: Buffer
  generation: number
  type?: string
  disposition?: string
}

export interface Bucket {
  url: string
  tokenUrl: string
  email: string
  key: string
  objects: Map<string, Kept>
  /** Answered to the next so many requests for objects. */
  failNext(status: number, times: number): void
  /** Cuts the connection after so many bytes of each of the next downloads. */
  cutNext(bytes: number, times: number): void
  /** Called when a download was cut. */
  onCut: () => void
  /** Makes the next part of an upload arrive only by half. */
  halveNext(): void
  [Symbol.asyncDispose](): Promise<void>
}

export async function startBucket(bucket: string): Promise<Bucket> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const email = 'converter@reforge-test.iam.example'
  const tokens = new Set<string>()
  const objects = new Map<string, Kept>()
  const sessions = new Map<string, { name: string; parts: Buffer[]; more: Partial<Kept> }>()
  let failing = { status: 0, times: 0 }
  let cutting = { bytes: 0, times: 0 }
  let halving = false
  let base = ''

  const say = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  const refuse = (response: ServerResponse, status: number, reason: string) =>
    say(response, status, { error: { code: status, message: reason, errors: [{ reason }] } })

  async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams((await buffer(request)).toString())
    const [head = '', body = '', signature = ''] = (form.get('assertion') ?? '').split('.')
    const genuine = verify('sha256', Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url'))
    const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString() || '{}')
    const { iss, aud, exp, iat } = JSON.parse(Buffer.from(body, 'base64url').toString() || '{}')
    const now = Date.now() / 1000
    const right =
      genuine && alg === 'RS256' && iss === email && aud === `${base}/token` && exp > now && exp - iat <= 3600
    if (!right || form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
      return void say(response, 400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' })
    const given = randomUUID()
    tokens.add(given)
    say(response, 200, { access_token: given, expires_in: 3599, token_type: 'Bearer' })
  }

  function download(name: string, url: URL, request: IncomingMessage, response: ServerResponse): void {
    const kept = objects.get(name)
    if (!kept) return void refuse(response, 404, 'notFound')
    const wanted = url.searchParams.get('ifGenerationMatch')
    if (wanted && wanted !== `${kept.generation}`) return void refuse(response, 412, 'conditionNotMet')
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const { length } = kept.bytes
    const rest = kept.bytes.subarray(start)
    response.writeHead(start > 0 ? 206 : 200, {
      'content-length': rest.length,
      'x-goog-generation': kept.generation,
      ...(start > 0 && { 'content-range': `bytes ${start}-${length - 1}/${length}` }),
    })
    if (cutting.times-- > 0)
      response.write(rest.subarray(0, cutting.bytes), () => {
        stand.onCut()
        response.destroy()
      })
    else response.end(rest)
  }

  async function upload(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = sessions.get(id)
    if (!session) return void refuse(response, 404, 'notFound')
    if (request.method === 'DELETE') {
      sessions.delete(id)
      return void response.writeHead(499).end()
    }
    const [, from, size] = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(request.headers['content-range'] ?? '') ?? []
    const sent = await buffer(request)
    const have = () => session.parts.reduce((sum, part) => sum + part.length, 0)
    if (from !== undefined && Number(from) === have())
      session.parts.push(halving ? sent.subarray(0, sent.length / 2) : sent)
    const cut = halving && from !== undefined
    halving &&= !cut
    if (cut) return void response.destroy()
    if (have() < Number(size))
      return void response.writeHead(308, have() > 0 ? { range: `bytes=0-${have() - 1}` } : {}).end()
    const bytes = Buffer.concat(session.parts)
    objects.set(session.name, { bytes, generation: objects.size + 1, ...session.more })
    sessions.delete(id)
    say(response, 200, { name: session.name, size: `${bytes.length}`, etag: `etag-${bytes.length}` })
  }

  async function begin(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { contentType: type, contentDisposition: disposition } = JSON.parse((await buffer(request)).toString())
    const id = randomUUID()
    sessions.set(id, { name: url.searchParams.get('name') ?? '', parts: [], more: { type, disposition } })
    response.writeHead(200, { location: `${base}/upload/session?upload_id=${id}` }).end()
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', base)
    if (url.pathname === '/token') return token(request, response)
    if (failing.times-- > 0) return void refuse(response, failing.status, 'backendError')
    if (url.pathname === '/upload/session') return upload(url.searchParams.get('upload_id') ?? '', request, response)
    const bearer = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (!tokens.has(bearer)) return void refuse(response, 401, 'authError')
    const [, up, asked = '', name = ''] =
      /^(\/upload)?\/storage\/v1\/b\/([^/]+)\/o(?:\/(.+))?$/.exec(url.pathname) ?? []
    if (asked === 'forbidden') return void refuse(response, 403, 'forbidden')
    if (asked !== bucket) return void refuse(response, 404, 'notFound')
    return up ? begin(url, request, response) : download(decodeURIComponent(name), url, request, response)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stand: Bucket = {
    onCut: () => {},
    url: base,
    tokenUrl: `${base}/token`,
    email,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    objects,
    failNext: (status, times) => {
      failing = { status, times }
    },
    cutNext: (bytes, times) => {
      cutting = { bytes, times }
    },
    halveNext: () => {
      halving = true
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  return stand
}
