/** What to show of the pages for the account and for administrators, on a server that has been in use for a while. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { picture } from '../../../server/test/support/pictures.ts'
import type { TestServer } from '../../../server/test/support/server.ts'

const DAY = 86_400_000
/** Operation, from, to, and seconds that one of them takes. */
const KINDS = [
  ['convert', 'docx', 'pdf', 4],
  ['convert', 'heic', 'jpg', 0.6],
  ['convert', 'mov', 'mp4', 41],
  ['compress', 'mp4', 'mp4', 60],
  ['merge', 'pdf', 'pdf', 1],
  ['trim', 'mp3', 'mp3', 2],
] as const

/** Two months of use, written where the server keeps it: nobody wants to wait for them. */
async function liveThroughMonths(server: TestServer): Promise<void> {
  const { id } = (await server.call('GET', '/v1/account/me')).json
  const { keys } = (await server.call('GET', '/v1/account/keys')).json
  const database = new DatabaseSync(`${server.data}/reforge.db`)
  const insert = database.prepare('INSERT INTO usage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const today = Math.floor(Date.now() / DAY) * DAY
  for (let ago = 1; ago < 60; ago++)
    for (const [index, [operation, from, to, seconds]] of KINDS.entries()) {
      const isWeekend = [0, 6].includes(new Date(today - ago * DAY).getUTCDay())
      const tasks = Math.round((isWeekend ? 4 : 22) * (1.3 + Math.sin(ago / 5 + index)))
      const sums = [tasks, Math.round(tasks * 0.02), tasks * seconds, tasks * 2_400_000, tasks * 900_000]
      insert.run(id, today - ago * DAY, keys[index % keys.length].id, operation, from, to, ...sums)
    }
  database.close()
}

async function tellAReceiver(server: TestServer): Promise<void> {
  const receiver = createServer((request, response) => {
    request.resume()
    response.writeHead(request.url === '/orders' ? 200 : 503).end(request.url === '/orders' ? 'ok' : 'Try later.')
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  receiver.unref()
  const at = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  for (const path of ['/orders', '/archive']) {
    const { id } = (
      await server.call('POST', '/v1/webhooks', { url: at + path, events: ['job.success', 'job.failed'] })
    ).json
    await server.call('POST', `/v1/webhooks/${id}/test`)
  }
}

let isSeeded = false

async function seed(server: TestServer): Promise<void> {
  if (isSeeded) return
  isSeeded = true
  const post = (path: string, body: object) => server.call('POST', path, body)
  const scopes = ['tasks:read', 'tasks:write']
  await post('/v1/account/keys', { name: 'Website upload', scopes, budget: { minutes: 120, per: 'day' } })
  await post('/v1/account/keys', { name: 'Nightly archive', scopes: [...scopes, 'webhooks'] })
  const team = { minutesPerDay: 60, minutesPerMonth: 1200, minutesPerTask: 15, concurrency: 4, maxFileSize: 2e9 }
  await post('/v1/admin/plans', { name: 'team', ...team })
  await post('/v1/admin/plans', { name: 'trial', minutesPerMonth: 30, concurrency: 1 })
  await post('/v1/admin/users', { email: 'ada@example.com', role: 'admin' })
  for (const email of ['grace@example.com', 'linus@example.com']) await post('/v1/admin/users', { email, plan: 'team' })
  await tellAReceiver(server)
  const file = `data:image/png;base64,${(await picture('png', 64, 64)).toString('base64')}`
  const tasks = {
    in: { operation: 'import/base64', filename: 'photo.png', file },
    out: { operation: 'convert', input: 'in', output_format: 'webp' },
  }
  const { id } = (await post('/v1/process/jobs', { tasks })).json
  await server.call('GET', `/v1/process/jobs/${id}/wait`)
  await liveThroughMonths(server)
}

const shown = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor()

export const ACCOUNT_SCENES = [
  { name: 'keys', at: '#/keys', seed, prepare: shown('Website upload') },
  {
    name: 'key-made',
    at: '#/keys',
    seed,
    prepare: async (page: Page) => {
      await page.getByRole('button', { name: 'New key' }).click()
      // A name must be new each time.
      await page.getByRole('textbox', { name: 'Name' }).fill(`Laptop of ${new Date().toISOString()}`)
      await page.getByRole('button', { name: 'Make the key' }).click()
      await page.getByText('Copy it now').waitFor()
    },
  },
  {
    name: 'webhook',
    at: '#/webhooks',
    seed,
    prepare: async (page: Page) => {
      await page.getByRole('link', { name: /archive$/ }).click()
      await page
        .getByRole('button', { name: /Show the attempts/ })
        .first()
        .click()
      await page.getByText('Try later.').first().waitFor()
    },
  },
  { name: 'webhooks', at: '#/webhooks', seed, prepare: shown('Delivered') },
  { name: 'usage', at: '#/usage', seed, prepare: shown('mp4') },
  { name: 'settings', at: '#/settings', seed, prepare: shown(/tasks? at a time/) },
  { name: 'users', at: '#/users', seed, prepare: shown('grace@example.com') },
  { name: 'plans', at: '#/plans', seed, prepare: shown('trial') },
  { name: 'system', at: '#/system', seed, prepare: shown('Slowest conversions') },
  { name: 'audit', at: '#/audit', seed, prepare: shown('Invited a user') },
]
