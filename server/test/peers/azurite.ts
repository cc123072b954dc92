/** The vendor's own emulator of blob storage, from npm: checks keys and shared-access tokens. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts, listening, missing, startPeer } from './process.ts'

const MAIN = join(import.meta.dirname, '../../../node_modules/azurite/dist/src/blob/main.js')

export const noAzurite = missing('azurite', MAIN)

export interface Azurite {
  port: number
  account: string
  key: string
  /** As REFORGE_BLOBSTORE_URL. */
  url: string
  [Symbol.asyncDispose](): Promise<void>
}

export async function startAzurite(): Promise<Azurite> {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-azurite-'))
  const [port = 0] = await freePorts(1)
  const account = 'reforgetest'
  const key = randomBytes(64).toString('base64')
  const main = createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js')
  const args = [main, '--blobHost', '127.0.0.1', '--blobPort', `${port}`, '--location', dir, '--silent']
  const more = ['--skipApiVersionCheck', '--disableTelemetry', '--disableProductStyleUrl']
  const peer = startPeer(process.execPath, [...args, ...more], { AZURITE_ACCOUNTS: `${account}:${key}` })
  const stop = async () => {
    await peer.stop()
    await rm(dir, { recursive: true, force: true })
  }
  try {
    await listening(port, peer)
  } catch (error) {
    await stop()
    throw error
  }
  return { port, account, key, url: `http://127.0.0.1:${port}/{account}`, [Symbol.asyncDispose]: stop }
}
