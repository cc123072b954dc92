import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startDatabases } from '../../test/support/databases.ts'
import { type Receiver, startReceiver, verify } from '../../test/support/receiver.ts'
import { aJob } from '../../test/support/records.ts'
import { tempDir } from '../../test/support/temp-dir.ts'
import { until } from '../../test/support/until.ts'
import { createMemoryBus } from '../bus/memory-bus.ts'
import { begin } from '../core/change.ts'
import { newId } from '../core/ids.ts'
import { newWebhookSecret, pauseAfter, WEBHOOK_EVENTS } from '../core/webhook.ts'
import { parseCidrs } from '../net/addresses.ts'
import { createGuard } from '../net/guard.ts'
import { DELIVERIES } from '../ports/bus.ts'
import type { Database } from '../ports/sql.ts'
import type { Webhook } from '../ports/webhooks.ts'
import { createMemoryQueue } from '../queue/memory-queue.ts'
import { migrate } from '../store/schema.ts'
import { createSqlStore } from '../store/sql-store.ts'
import { createSqlWebhooks } from '../store/sql-webhooks.ts'
import { openSqlite } from '../store/sqlite.ts'
import { startWebhookSender } from './webhooks.ts'

const SECOND = 1000

interface Place {
  /** A database that nobody else is in. */
  open(): Promise<Database>
  remove(): Promise<void>
}

const inFiles = async (): Promise<Place> => {
  const dir = await tempDir()
  return { open: async () => openSqlite(join(dir.path, `${newId(Date.now())}.db`)), remove: dir.remove }
}
const inPostgres = async (): Promise<Place> => {
  const databases = await startDatabases()
  return { open: databases.open, remove: databases[Symbol.asyncDispose] }
}

function senderOf(name: string, start: () => Promise<Place>): void {
  describe(`the sender of webhooks in ${name}`, () => {
    let place: Place
    before(async () => {
      place = await start()
    })
    after(() => place.remove())

    /** A store with one webhook, a receiver, and a clock that the test moves. */
    async function createPost({ allow = '127.0.0.0/8', timeout = 30 * SECOND } = {}) {
      const receiver = await startReceiver()
      const database = await place.open()
      await migrate(database)
      const bus = createMemoryBus()
      const store = createSqlStore(database, { queue: createMemoryQueue(), bus })
      const webhooks = createSqlWebhooks(database)
      const guard = createGuard({ allow: parseCidrs(allow) })
      let now = Date.now()
      const secrets = [newWebhookSecret()]
      const hook: Webhook = {
        ...{
          id: newId(now),
          user: 'ada',
          url: receiver.url,
          events: WEBHOOK_EVENTS,
          enabled: true,
          reason: null,
        },
        ...{ secrets: { current: 'sealed', previous: null }, createdAt: now, updatedAt: now },
      }
      await webhooks.add(hook)
      const senders: (() => Promise<void>)[] = []
      const post = {
        receiver,
        webhooks,
        hook,
        secrets,
        start: () =>
          senders.push(
            startWebhookSender({
              ...{ webhooks, bus, post: guard.post, timeout, clock: { now: () => now } },
              show: (told) => JSON.parse(JSON.stringify(told)),
              secretsFor: async () => secrets,
              failed: (error) => assert.fail(String(error)),
            }),
          ),
        stop: async () => void (await Promise.all(senders.splice(0).map((stop) => stop()))),
        /** A job is created, and with it the delivery. */
        async tell(webhookUrl: string | null = null) {
          const job = { ...aJob({ createdAt: now }), webhookUrl }
          await store.create({ user: 'ada', inputs: [], now, decide: (inputs) => begin(job, [], inputs) })
          return job
        },
        pass(milliseconds: number) {
          now += milliseconds
          bus.publish(DELIVERIES)
        },
        last: async () => (await webhooks.deliveries('ada', null, 1, 10)).docs[0],
        async attempted(times: number) {
          const done = async () => (await post.last())?.attempts === times
          await until(done, `there were ${times} attempts`)
          return (await post.last()) ?? assert.fail('there is no delivery')
        },
        async [Symbol.asyncDispose]() {
          await post.stop()
          await receiver[Symbol.asyncDispose]()
          await guard.close()
          await database.close()
        },
      }
      return post
    }
    const received = (receiver: Receiver, times: number) =>
      until(() => receiver.got.length === times, 'it was received')

    test('posts the job, signed both ways, and notes the answer', async () => {
      await using post = await createPost()
      post.start()
      const job = await post.tell()
      const delivery = await post.attempted(1)
      assert.equal(delivery.status, 'delivered')
      assert.equal(delivery.nextAt, null)
      const [got] = post.receiver.got
      assert.ok(got)
      assert.equal((verify(got, post.secrets[0]!) as { job: { id: string } }).job.id, job.id)
      assert.throws(() => verify(got, newWebhookSecret()))
      assert.equal(got.headers['webhook-event'], 'job.created')
      assert.equal(got.headers['webhook-id'], delivery.id)
      assert.equal(got.headers['x-signature'], createHmac('sha256', post.secrets[0]!).update(got.body).digest('hex'))
      const [attempt] = await post.webhooks.attempts(delivery.id)
      assert.deepEqual([attempt?.status, attempt?.answer], [200, 'thanks'])
    })

    test('tells the address a job names, and the webhooks too', async () => {
      await using post = await createPost()
      post.start()
      await post.tell(`${post.receiver.url}?own`)
      await received(post.receiver, 2)
      const { docs } = await post.webhooks.deliveries('ada', null, 1, 10)
      assert.deepEqual(docs.map(({ webhook }) => webhook).sort(), [null, post.hook.id].sort())
    })

    test('tries again with growing pauses under the same id, and gives up after a day', async () => {
      await using post = await createPost()
      post.receiver.answer((response) => response.writeHead(500).end('no'))
      post.start()
      await post.tell()
      let pauses = 0
      for (let times = 1; ; times++) {
        const delivery = await post.attempted(times)
        const pause = pauseAfter(times)
        if (pause === null) {
          assert.equal(delivery.status, 'failed')
          break
        }
        assert.equal(delivery.status, 'waiting')
        pauses += pause
        post.pass(pause - SECOND)
        assert.equal((await post.last())?.attempts, times, 'not before its time')
        post.pass(SECOND)
      }
      assert.ok(pauses > 20 * 3600 * SECOND && pauses < 26 * 3600 * SECOND)
      assert.equal(new Set(post.receiver.got.map(({ headers }) => headers['webhook-id'])).size, 1)
    })

    test('does not wait for ever', async () => {
      await using post = await createPost({ timeout: 300 })
      post.receiver.answer(() => {})
      post.start()
      await post.tell()
      const late = await post.attempted(1)
      assert.equal(late.status, 'waiting')
      assert.match((await post.webhooks.attempts(late.id))[0]?.answer ?? '', /did not answer in time/)
    })

    test('follows no redirect', async () => {
      await using post = await createPost()
      post.receiver.answer((response) => response.writeHead(302, { location: post.receiver.url }).end())
      post.start()
      await post.tell()
      const moved = await post.attempted(1)
      assert.equal(moved.status, 'waiting')
      assert.match((await post.webhooks.attempts(moved.id))[0]?.answer ?? '', /redirects, which is not followed/)
      assert.equal(post.receiver.got.length, 1)
    })

    test('is refused by the guard at every delivery, whatever was registered', async () => {
      await using post = await createPost({ allow: '10.0.0.0/8' })
      post.start()
      await post.tell()
      const blocked = await post.attempted(1)
      assert.equal(blocked.status, 'waiting')
      assert.equal(post.receiver.got.length, 0)
      assert.equal((await post.webhooks.attempts(blocked.id))[0]?.status, null)
    })

    test('410 switches the webhook off, and what waits for it is given up', async () => {
      await using post = await createPost()
      await post.tell()
      await post.tell()
      post.receiver.answer((response) => response.writeHead(410).end())
      post.start()
      await until(async () => !(await post.webhooks.find(post.hook.id))?.enabled, 'it was switched off')
      await post.stop()
      assert.match((await post.webhooks.find(post.hook.id))?.reason ?? '', /410/)
      const { docs } = await post.webhooks.deliveries('ada', null, 1, 10)
      assert.deepEqual(new Set(docs.map(({ status }) => status)), new Set(['failed']))
      assert.equal((await post.tell()).webhookUrl, null)
      assert.equal((await post.webhooks.deliveries('ada', null, 1, 10)).total, 2, 'nothing more is to be told')
    })

    test('what was committed before a crash is sent by the next start, under the same id', async () => {
      await using post = await createPost()
      await post.tell()
      // Somebody took it and died before the answer was written down.
      const now = Date.now() + SECOND
      const [taken] = await post.webhooks.take(now, now + 20 * SECOND, 8)
      assert.ok(taken)
      post.start()
      post.pass(10 * SECOND)
      post.pass(20 * SECOND)
      const delivery = await post.attempted(1)
      assert.equal(delivery.status, 'delivered')
      assert.equal(post.receiver.got[0]?.headers['webhook-id'], taken.id)
    })

    test('after a rotation both secrets verify', async () => {
      await using post = await createPost()
      post.secrets.unshift(newWebhookSecret())
      post.start()
      await post.tell()
      await received(post.receiver, 1)
      for (const secret of post.secrets) verify(post.receiver.got[0]!, secret)
    })

    test('two nodes send each of many once', async () => {
      await using post = await createPost()
      const jobs = []
      for (let count = 0; count < 30; count++) jobs.push(await post.tell())
      post.start()
      post.start()
      await until(async () => (await post.webhooks.nextDue()) === null, 'nothing is left to send')
      const sent = post.receiver.got.map(({ body }) => JSON.parse(body).job.id)
      assert.deepEqual(sent.toSorted(), jobs.map(({ id }) => id).toSorted())
    })
  })
}

senderOf('SQLite', inFiles)
senderOf('PostgreSQL', inPostgres)
