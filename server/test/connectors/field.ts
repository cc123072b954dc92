/**
 * A server among storages: everything that connectors talk to, started together, with secrets that are known, so that it
 * can be looked for them afterwards. Each peer may be missing; then only what needs it is skipped.
 */
import { randomBytes } from 'node:crypto'
import { createGuard, type Guard } from '../../src/net/guard.ts'
import { type Azurite, noAzurite, startAzurite } from '../peers/azurite.ts'
import { type CuttingProxy, startCuttingProxy } from '../peers/cutting-proxy.ts'
import { type Bucket, startBucket } from '../peers/gcs.ts'
import { noSshd, type Sshd, startSshd } from '../peers/sshd.ts'
import { noSwift, type Swift, startSwift } from '../peers/swift.ts'
import { type Listener, listenTo } from '../support/listener.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { type Steps, stepsOn } from '../support/steps.ts'

export interface Field {
  server: TestServer
  steps: Steps
  listener: Listener
  /** For connectors that are tried without the server; reaches everything. */
  guard: Guard
  /** Every answer the server gave. */
  answers: string[]
  /** What must be found nowhere. */
  secrets: Set<string>
  bucket: Bucket
  /** Not there when its package is missing: the suites that need one are skipped. */
  swift: Swift
  swiftCut: CuttingProxy
  azurite: Azurite
  azuriteCut: CuttingProxy
  sshd: Sshd
  sshdCut: CuttingProxy
  [Symbol.asyncDispose](): Promise<void>
}

export const MOST_FILES = 1200

export async function openField(): Promise<Field> {
  const secret = (what: string) => `planted-${what}-${randomBytes(9).toString('hex')}`
  const s3Secret = secret('s3')
  const [password, passphrase] = [secret('password'), secret('passphrase')]
  const [bucket, swift, azurite, sshd] = await together([
    startBucket('shelf'),
    noSwift ? null : startSwift(s3Secret),
    noAzurite ? null : startAzurite(),
    noSshd ? null : startSshd(password, passphrase),
  ])
  const [swiftCut, azuriteCut, sshdCut] = await Promise.all(
    [swift, azurite, sshd].map((peer) => startCuttingProxy(peer?.port ?? 0)),
  )
  const server = await startServer({
    env: {
      REFORGE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8',
      REFORGE_MAX_IMPORT_FILES: `${MOST_FILES}`,
      REFORGE_OBJSTORE_B_URL: bucket.url,
      REFORGE_OBJSTORE_B_TOKEN_URL: bucket.tokenUrl,
      REFORGE_BLOBSTORE_URL: `http://127.0.0.1:${azuriteCut?.port}/{account}`,
      REFORGE_LOG_LEVEL: 'debug',
    },
  })
  const answers: string[] = []
  const call: TestServer['call'] = async (...request) => {
    const answer = await server.call(...request)
    answers.push(answer.text)
    return answer
  }
  const recorded = { ...server, call }
  const { json } = await server.call('GET', '/v1/account/me')
  const listener = await listenTo(server)
  for (const what of ['tasks', 'jobs']) await listener.subscribe(`user.${json.id}.${what}`)
  const keyBody = (pem: string) => pem.split('\n')[3] ?? pem
  const secrets = new Set([s3Secret, password, passphrase, azurite?.key ?? '', keyBody(bucket.key)].filter(Boolean))
  for (const pem of sshd ? [sshd.key, sshd.lockedKey] : []) secrets.add(keyBody(pem))
  const guard = createGuard({ allow: () => true })
  const field = { bucket, swift, azurite, sshd, swiftCut, azuriteCut, sshdCut }
  return {
    ...(field as Required<{ [K in keyof typeof field]: NonNullable<(typeof field)[K]> }>),
    server: recorded,
    steps: stepsOn(recorded),
    listener,
    guard,
    answers,
    secrets,
    async [Symbol.asyncDispose]() {
      listener[Symbol.dispose]()
      await guard.close()
      await server[Symbol.asyncDispose]()
      for (const peer of Object.values(field)) await peer?.[Symbol.asyncDispose]()
    },
  }
}

/** All of them or none: when one does not start, those that did are stopped. */
async function together<T extends readonly unknown[]>(
  starting: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(starting)
  const failed = settled.find((one) => one.status === 'rejected')
  const started = settled.map((one) => (one.status === 'fulfilled' ? one.value : null))
  if (!failed) return started as { -readonly [K in keyof T]: Awaited<T[K]> }
  for (const peer of started as (AsyncDisposable | null)[]) await peer?.[Symbol.asyncDispose]()
  throw failed.reason
}

/** Bytes that no transfer can confuse with others, the same each time. */
export function noiseOf(size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE((Math.imul(at, 2654435761) ^ (at >>> 7)) >>> 0, at)
  return bytes
}

/** Names that break whoever does not escape them. */
export const ODD_NAMES = ['plain.txt', 'Grüße aus 東京.txt', "a b+c&d=e%20f#g'h(i)!*.txt", 'deep/er/ünder.txt']
