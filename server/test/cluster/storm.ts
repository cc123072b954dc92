/**
 * Many callers use the service while everything it stands on fails in turn: workers and an API node are killed, the
 * database is restarted, the bucket refuses. Then looks whether every promise was kept, once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Promised } from '../chaos/client.ts'
import { makeFiles } from '../chaos/storm.ts'
import { judge, type Outcome } from '../chaos/verdict.ts'
import { inspect, type Remains } from './remains.ts'
import { startTown, type Town } from './town.ts'

export interface ClusterReport extends Outcome, Remains {
  promised: number
  kills: number
  restarts: number
  refused: number
  seconds: number
  /** Empty when all is well. */
  wrong: string[]
}

export interface StormOptions {
  jobs: number
  apis?: number
  workers?: number
  clients?: number
  say?(line: string): void
}

/** Milliseconds that the bucket refuses everything. */
const REFUSING = 12_000

export async function clusterStorm({
  jobs,
  apis = 2,
  workers = 4,
  clients = 8,
  say = () => {},
}: StormOptions): Promise<ClusterReport> {
  await using town = await startTown({ apis, workers, env: { REFORGE_ENGINES: 'sharp', REFORGE_LOG_LEVEL: 'error' } })
  say(`${apis} API nodes and ${workers} workers are there`)
  const begun = Date.now()
  const wrong: string[] = []
  const promised: Promised[] = []
  const over = new AbortController()
  const files = await makeFiles()
  const odd = (what: string): void => void wrong.push(what)
  /** Each caller changes to the other node with every request. */
  let turn = 0
  const server = () => town.apis[turn++ % town.apis.length]!.server()
  const life = { server, kill: async () => {}, start: async () => {} }
  const living = Promise.all(
    Array.from({ length: clients }, () => createClient({ life, files, promised, odd }).live(over.signal)),
  )
  const done = { kills: 0, restarts: 0 }
  const troubles = troublesOf(town, done, say)
  for (let round = 0; promised.length < jobs || round < troubles.length; round++) {
    await troubles[round % troubles.length]!()
    await sleep(1000)
    say(`${promised.length} jobs promised`)
  }
  over.abort()
  await living
  const outcome = await judge(town.apis[0]!.server(), promised, wrong)
  const remains = await inspect(town.env, wrong)
  const seconds = Math.round((Date.now() - begun) / 1000)
  return { promised: promised.length, ...done, refused: town.bucket.refused(), seconds, ...outcome, ...remains, wrong }
}

/** One after another; each leaves the service whole again. */
function troublesOf(
  { apis, workers, postgres, bucket }: Town,
  done: { kills: number; restarts: number },
  say: (line: string) => void,
): (() => Promise<void>)[] {
  const kill = (member: (typeof workers)[number]) => async () => {
    say(`kill -9 ${member.name}`)
    await member.stop('SIGKILL')
    await sleep(500)
    await member.start()
    done.kills++
  }
  const restart = async () => {
    say('PostgreSQL restarts')
    await postgres.stop('kill')
    await postgres.start()
    done.restarts++
  }
  const refuse = async () => {
    say('the bucket refuses')
    bucket.refuse(true)
    await sleep(REFUSING)
    bucket.refuse(false)
  }
  return [...workers.map(kill), kill(apis.at(-1)!), restart, refuse]
}
