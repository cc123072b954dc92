/** The command line and who one is: login, keys, webhooks, the doctor, and a server of one's own. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { until } from '../../server/test/support/until.ts'
import { ground } from './support.ts'

const on = ground({ REFORGE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8,::1/128' })
const { folder, run, start } = on
/** As on a machine where nothing is set. */
const BARE = { REFORGE_URL: undefined, REFORGE_API_KEY: undefined, REFORGE_DATA: undefined }

test('login keeps server, key and certificate where only the owner can read them; logout forgets', async (t) => {
  const cwd = await folder(t, 'a.png')
  const refused = await run(cwd, ['login', '--key', 'wrong'])
  assert.equal(refused.code, 3)
  const kept = await run(cwd, ['login', on.server.url, '--json'], { REFORGE_API_KEY: undefined }, `${on.server.key}\n`)
  assert.equal(kept.code, 0, kept.err)
  const { path } = JSON.parse(kept.out)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.equal(JSON.parse(await readFile(path, 'utf8')).ca, on.server.caPath)
  assert.deepEqual(await run(cwd, ['convert', 'a.png', 'b.jpg'], BARE), { code: 0, out: 'b.jpg\n', err: '' })

  await writeFile(path, 'nonsense')
  assert.match((await run(cwd, ['jobs'], BARE)).err, /cannot be understood.*reforge login/)
  assert.equal((await run(cwd, ['login'])).code, 0)
  assert.equal((await run(cwd, ['logout'])).code, 0)
  assert.equal(await stat(path).catch(() => 'gone'), 'gone')
})

test('the key that was kept is not told to another server', async (t) => {
  const cwd = await folder(t)
  const seen: (string | undefined)[] = []
  const other = createServer((request, answer) => {
    seen.push(request.headers.authorization)
    answer.setHeader('content-type', 'application/json').end('{"docs":[],"totalDocs":0}')
  }).listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  await run(cwd, ['login'])
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  assert.equal((await run(cwd, ['jobs', '--server', url], BARE)).code, 0)
  assert.deepEqual(seen, [undefined])
})

test('on the machine of the server a login makes its own key', async (t) => {
  const cwd = await folder(t)
  const { code, out } = await run(cwd, ['login', '--user', 'grace@example.org'], { REFORGE_API_KEY: undefined })
  assert.equal(code, 0)
  assert.match(out, /grace@example\.org/)
  assert.equal((await run(cwd, ['jobs'], { ...BARE, REFORGE_DATA: on.server.data })).code, 0)
})

test('keys are made on the data folder, and over the API with what they may do', async (t) => {
  const cwd = await folder(t)
  const { code, out } = await run(cwd, ['keys', 'create', '--user', 'ada@example.org'])
  assert.deepEqual([code, out.startsWith('rf_live_')], [0, true])
  const key = out.trim()
  const weak = await run(cwd, ['keys', 'create', '--name', 'weak', '--scopes', 'tasks:read', '--key', key, '--json'])
  const made = JSON.parse(weak.out)
  assert.deepEqual([weak.code, made.scopes], [0, ['tasks:read']])
  assert.equal((await run(cwd, ['jobs', '--key', made.key])).code, 0)
  assert.match(
    (await run(cwd, ['keys', '--key', key])).out,
    new RegExp(`^${made.id}\\t\\tweak\\tused just now\\ttasks:read\\t$`, 'm'),
  )
  assert.equal((await run(cwd, ['keys', 'revoke', made.id, '--key', key])).code, 0)
  assert.equal((await run(cwd, ['jobs', '--key', made.key])).code, 3)
  const wrong = await run(cwd, ['keys', 'create'])
  assert.deepEqual([wrong.code, /--user/.test(wrong.err)], [2, true])
  assert.match((await run(cwd, ['keys', 'create', '--name', 'x', '--scopes', 'task:read'])).err, /mean tasks:read\?/)
})

test('a key has a budget, and what was used is told by what one likes', async (t) => {
  const cwd = await folder(t, 'a.png')
  const made = JSON.parse(
    (await run(cwd, ['keys', 'create', '--name', 'rationed', '--budget', '30/day', '--json'])).out,
  )
  assert.deepEqual([made.budget.minutes, made.budget.per], [30, 'day'])
  assert.equal((await run(cwd, ['convert', 'a.png', 'b.jpg', '--key', made.key])).code, 0)
  assert.match((await run(cwd, ['keys'])).out, new RegExp(`^${made.id}\\t.*of 30 min a day$`, 'm'))
  const { code, out } = await run(cwd, ['usage', '--by', 'key,operation,from,format'])
  assert.equal(code, 0)
  assert.match(out, /^rationed\tconvert\tpng\tjpg\t1\t0\t[\d.]+\t\d+\t\d+$/m)
  const row = JSON.parse((await run(cwd, ['usage', '--json'])).out.split('\n')[0] ?? '')
  assert.ok(row.tasks > 0 && /^\d{4}-\d\d-\d\d$/.test(row.day))
  assert.equal((await run(cwd, ['keys', 'change', made.id, '--budget', 'none'])).code, 0)
  assert.doesNotMatch((await run(cwd, ['keys'])).out, /30 min/)
  assert.match((await run(cwd, ['keys', 'change', made.id, '--budget', '30'])).err, /30\/day/)
  assert.match((await run(cwd, ['usage', '--by', 'days'])).err, /mean day\?/)
})

test('webhooks are registered, tried, looked at and removed', async (t) => {
  const cwd = await folder(t)
  let status = 200
  const hook = createServer((_request, answer) => void answer.writeHead(status).end('thanks')).listen(0, '127.0.0.1')
  t.after(() => hook.close())
  await once(hook, 'listening')
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`
  const created = await run(cwd, ['webhooks', 'create', url, '--events', 'job.failed'])
  assert.equal(created.code, 0, created.err)
  const [id = '', secret = ''] = created.out.trim().split('\t')
  assert.match(secret, /^whsec_/)
  assert.equal((await run(cwd, ['webhooks'])).out, `${id}\ton\t${url}\tjob.failed\t\n`)
  assert.deepEqual(await run(cwd, ['webhooks', 'test', id]), { code: 0, out: 'delivered\t200  thanks\n', err: '' })
  status = 500
  const failed = await run(cwd, ['webhooks', 'test', id])
  assert.deepEqual([failed.code, /did not arrive: 500/.test(failed.err)], [1, true])
  assert.match((await run(cwd, ['webhooks', 'deliveries', id])).out, /\tdelivered\twebhook\.test\t/)
  assert.equal((await run(cwd, ['webhooks', 'delete', id])).code, 0)
  assert.equal((await run(cwd, ['webhooks'])).out, '')
})

test('the doctor tells how the installation is, and what ails it', async (t) => {
  const cwd = await folder(t)
  const well = await run(cwd, ['doctor', '--json'])
  const { health, account } = JSON.parse(well.out)
  assert.deepEqual([well.code, account.accepted], [0, true])
  assert.ok(health.engines.some(({ ready }: { ready: boolean }) => ready))
  const refused = await run(cwd, ['doctor', '--key', 'wrong'])
  assert.equal(refused.code, 3)
  assert.match(refused.out, /✗ key +refused/)
  const away = await run(cwd, ['doctor', '--server', 'https://localhost:9'])
  assert.equal(away.code, 3)
  assert.match(away.out, /✗ server +https:\/\/localhost:9 cannot be reached/)
})

test('serve starts a server and stops it on a signal', async (t) => {
  const cwd = await folder(t)
  const env = { ...BARE, REFORGE_LOG_LEVEL: 'warn', REFORGE_URL: 'https://unused' }
  const { child, ended, shown } = start(cwd, ['serve', '--port', '0', '--data', 'mine'], env)
  t.after(() => child.kill('SIGKILL'))
  await until(async () => shown().includes('Reforge is listening on'), 'it listens')
  child.kill('SIGTERM')
  const { code, err } = await ended
  assert.equal(code, 0)
  assert.doesNotMatch(err, /not a setting/)
})
