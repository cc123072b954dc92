/**
 * `npm run cluster [-- storm|e2e] [files…]`: everything that is shown of many machines, on real peers. `storm`
 * kills and restarts whatever the service stands on while 200 jobs run; `e2e` runs the whole end-to-end suite, unchanged,
 * against API nodes and workers as processes. Ends with 1 when anything was not as it should be.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { clusterStorm } from './cluster/storm.ts'
import { startForTakeover, takeover } from './cluster/takeover.ts'
import { startPostgres } from './peers/postgres.ts'
import { startSwift } from './peers/swift.ts'
import { clusterVariable } from './support/cluster.ts'

const ROOT = join(import.meta.dirname, '../..')
const JOBS = 200
const TAKEOVER = 30_000
/** They look into the folder or the process of a single server, or need none. */
const OF_ONE_MACHINE = [
  'chaos',
  'big-file',
  'canary',
  'readme',
  'connector-pages',
  'bucket',
  'cluster',
  'split-video',
  'dashboard',
]

async function storm(): Promise<boolean> {
  const { wrong, ...figures } = await clusterStorm({ jobs: JOBS, say: console.log })
  console.table(figures)
  for (const what of wrong.slice(0, 50)) console.error(what)
  console.log(wrong.length === 0 ? 'Nothing was lost, nothing was done twice.' : `${wrong.length} things are wrong.`)
  return wrong.length === 0
}

/** "A dead worker's task is running elsewhere within 30 s." */
async function tookOver(): Promise<boolean> {
  await using town = await startForTakeover()
  const took = await takeover(town)
  console.log(`The task of a worker that was killed ran elsewhere after ${(took / 1000).toFixed(1)} s.`)
  return took < TAKEOVER
}

const REPORTING = ['--test', '--test-concurrency=1', '--test-timeout=600000', '--test-reporter=./scripts/reporter.mjs']

async function tested(files: readonly string[], env: Record<string, string>): Promise<boolean> {
  const options = { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } } as const
  const [code] = await once(spawn(process.execPath, [...REPORTING, ...files], options), 'close')
  return code === 0
}

/** A film in parts, and whoever takes part in it killed. */
const filmed = () => tested(['server/test/e2e/split-video.test.ts'], { REFORGE_TEST_WHOLE: '1' })

async function endToEnd(only: readonly string[]): Promise<boolean> {
  await using postgres = await startPostgres({ settings: { max_connections: 300 } })
  await using swift = await startSwift('a-secret-of-the-bucket')
  const { access_key_id: accessKey, secret_access_key: secretKey } = swift.access
  const place = { database: postgres.url(), endpoint: swift.endpoint, accessKey, secretKey }
  const all = globSync('server/test/e2e/*.test.ts', { cwd: ROOT }).sort()
  const wanted = all.filter((path) => !OF_ONE_MACHINE.some((name) => path.includes(`/${name}`)))
  const files = only.length > 0 ? all.filter((path) => only.some((name) => path.includes(name))) : wanted
  return await tested(files, clusterVariable(place))
}

const [what, ...names] = process.argv.slice(2)
const results = [
  ...(what === 'e2e' ? [] : [await storm(), await tookOver(), await filmed()]),
  ...(what === 'storm' ? [] : [await endToEnd(names)]),
]
process.exitCode = results.every(Boolean) ? 0 : 1
