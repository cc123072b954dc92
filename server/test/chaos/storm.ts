/** Kills the server again and again while many callers use it, then looks whether every promise was kept. */
import { setTimeout as sleep } from 'node:timers/promises'
import { dataUri, picture } from '../support/pictures.ts'
import { tempDir } from '../support/temp-dir.ts'
import { createClient, type Files, type Promised } from './client.ts'
import { createLife } from './life.ts'
import { inspect } from './remains.ts'
import { judge, type Outcome } from './verdict.ts'

export interface StormReport extends Outcome {
  promised: number
  kills: number
  orphans: number
  blobs: number
  /** Empty when all is well. */
  wrong: string[]
}

const CLIENTS = 12
/** Between the start of the server and its end, in milliseconds: from "still warming up" to "in full swing". */
const LIFETIME = [50, 2000] as const

export async function storm(rounds: number, say: (line: string) => void = () => {}): Promise<StormReport> {
  const folder = await tempDir()
  const wrong: string[] = []
  const promised: Promised[] = []
  const over = new AbortController()
  const files = await makeFiles()
  const life = await createLife(folder.path)
  try {
    const odd = (what: string): void => void wrong.push(what)
    const clients = Array.from({ length: CLIENTS }, () => createClient({ life, files, promised, odd }))
    const living = Promise.all(clients.map((client) => client.live(over.signal)))
    for (let round = 1; round <= rounds; round++) {
      await sleep(LIFETIME[0] + Math.random() * (LIFETIME[1] - LIFETIME[0]))
      await life.kill()
      await life.start()
      say(`${round}/${rounds}: ${promised.length} jobs promised`)
    }
    over.abort()
    await living
    const outcome = await judge(life.server(), promised, wrong)
    await life.server().stop()
    const remains = await inspect(folder.path, wrong)
    return { promised: promised.length, kills: rounds, ...outcome, ...remains, wrong }
  } finally {
    over.abort()
    await life.server().stop('SIGKILL')
    await folder.remove()
  }
}

export async function makeFiles(): Promise<Files> {
  return {
    png: await picture('png', 1200, 900),
    small: dataUri(await picture('png', 160, 100)),
    broken: dataUri(Buffer.from('this is no picture at all'.repeat(20))),
  }
}
