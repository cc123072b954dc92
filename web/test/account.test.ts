/** Keys, Webhooks, Usage and Settings in a real browser on a real server. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { picture } from '../../server/test/support/pictures.ts'
import { startReceiver, verify } from '../../server/test/support/receiver.ts'
import { tempDir } from '../../server/test/support/temp-dir.ts'
import { startDashboard } from './support/dashboard.ts'
import { seriousFaults } from './support/faults.ts'

const { server, visit } = await startDashboard({ env: { REFORGE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8' } })
const MARKUP = '<img src=x onerror="document.title=1">'

const row = (page: Page, text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text })
const menuOf = async (page: Page, button: string, item: string) => {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
const lookFine = async (page: Page, problems: string[]) => {
  assert.deepEqual(await seriousFaults(page), [])
  assert.deepEqual(problems, [])
}

test('a key is made, shown once, works as the first call says, and is revoked after asking', async (t) => {
  const { page, problems } = await visit({ at: '#/keys' })
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByText('Give it a name.').waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill(MARKUP)
  await page.getByText('Per day').click()
  await page.getByRole('textbox', { name: 'Minutes' }).fill('15')
  await page.getByRole('button', { name: 'Make the key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your new key' })
  const secret = await dialog.locator('code').first().innerText()
  assert.match(secret, /^rf_live_\w+$/)
  await lookFine(page, problems)

  const { path: folder, remove } = await tempDir()
  t.after(remove)
  await writeFile(join(folder, 'photo.png'), await picture('png', 40, 30))
  const script = await dialog.locator('pre').innerText()
  const { stdout } = await promisify(execFile)('bash', ['-ec', script], { cwd: folder })
  assert.equal(stdout, '')
  assert.deepEqual([...(await readFile(join(folder, 'photo.jpg'))).subarray(0, 3)], [0xff, 0xd8, 0xff])

  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.reload()
  const listed = row(page, MARKUP)
  await listed.getByText('of 15 min used today').waitFor()
  await listed.getByText('Last used').waitFor()
  assert.doesNotMatch(await page.locator('body').innerText(), /rf_live_/)
  assert.equal(await page.title(), 'Keys · Reforge')

  const auth = { authorization: `Bearer ${secret}` }
  assert.equal((await server.call('GET', '/v1/process/jobs', undefined, auth)).status, 200)
  await menuOf(page, `What to do with ${MARKUP}`, 'Revoke')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await server.call('GET', '/v1/process/jobs', undefined, auth)).status, 200)
  await menuOf(page, `What to do with ${MARKUP}`, 'Revoke')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await listed.waitFor({ state: 'detached' })
  assert.equal((await server.call('GET', '/v1/process/jobs', undefined, auth)).status, 401)
  assert.deepEqual(problems, [])
})

test('a webhook is added, tried, fails, is sent again, and shows every attempt with its answer', async () => {
  await using receiver = await startReceiver()
  const { page, problems } = await visit({ at: '#/webhooks' })
  await page.getByRole('button', { name: 'Add a webhook' }).click()
  await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url)
  await page.getByRole('checkbox', { name: 'Job created' }).uncheck()
  await page.getByRole('button', { name: 'Add it' }).click()
  const dialog = page.getByRole('dialog', { name: 'The secret of the webhook' })
  const secret = await dialog.locator('code').innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('button', { name: 'Send a test event' }).click()
  const tested = row(page, 'Test').filter({ hasText: 'Delivered' })
  await tested.waitFor()
  verify(receiver.got[0] ?? assert.fail('nothing came'), secret)

  receiver.answer((response) => response.writeHead(500).end(MARKUP))
  const tasks = { in: { operation: 'import/base64', filename: 'a.txt', file: 'data:text/plain;base64,aGVsbG8=' } }
  assert.equal((await server.call('POST', '/v1/process/jobs', { tasks })).status, 201)
  const told = row(page, 'Job done')
  await told.getByRole('button', { name: /Show the attempts/ }).click()
  const attempts = told.getByRole('table', { name: 'Attempts' })
  await attempts.getByText(MARKUP).first().waitFor()
  await attempts.getByText('500').first().waitFor()
  await lookFine(page, problems)

  receiver.answer((response) => response.end('thanks'))
  await told.getByRole('button', { name: 'Send again' }).click()
  await told.filter({ hasText: 'Delivered' }).getByText('thanks').first().waitFor()

  await page.getByRole('switch', { name: 'Send events' }).click({ force: true })
  await page.getByText('Switched off by you.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Send a test event' }).isDisabled(), true)
  await menuOf(page, 'What to do with this webhook', 'Change the secret')
  await page.getByRole('dialog').getByRole('button', { name: 'Change the secret' }).click()
  assert.notEqual(await page.getByRole('dialog').locator('code').innerText(), secret)
  assert.deepEqual(problems, [])
})

test('usage is plotted and told in tables, and minutes that are used up are said clearly', async (t) => {
  const { page, problems } = await visit({ at: '#/usage' })
  await page.getByRole('img', { name: /^Minutes by day/ }).waitFor()
  await page.getByText('Show as a table').click()
  await page.getByRole('rowheader', { name: new Date().toISOString().slice(0, 10) }).waitFor()
  await page.getByRole('region', { name: 'By format' }).getByRole('rowheader', { name: 'jpg' }).waitFor()
  await page.getByText('Tasks', { exact: true }).first().click()
  await page.getByRole('img', { name: /^Tasks by day/ }).waitFor()
  await lookFine(page, problems)

  const me = (await server.call('GET', '/v1/account/me')).json
  const setPlan = async (plan: string) =>
    assert.equal((await server.call('PATCH', `/v1/admin/users/${me.id}`, { plan })).status, 200)
  await server.call('POST', '/v1/admin/plans', { name: 'nothing-left', minutesPerDay: 0, minutesPerTask: 2 })
  await setPlan('nothing-left')
  t.after(() => setPlan('unlimited'))
  await page.reload()
  await page.getByText(/Used up\. Full again in/).waitFor()
  await page.getByText('One task may use 2 min.').waitFor()

  await page.goto(`${server.url}/#/`)
  const photo = { name: 'photo.png', mimeType: 'image/png', buffer: await picture('png', 20, 20) }
  await page.getByLabel('Choose files').setInputFiles([photo])
  await page.getByRole('button', { name: 'Convert 1 file' }).click()
  await page
    .getByText(/conversion minutes of this account for today are used up/)
    .first()
    .waitFor()
  // A browser reports every answer that is no success; this one was asked for.
  assert.deepEqual(
    problems.filter((problem) => !/status of 402/.test(problem)),
    [],
  )
})

test('settings change the looks and are remembered', async () => {
  const { page, problems } = await visit({ at: '#/settings' })
  await page.getByRole('region', { name: 'Account' }).getByText('admin@localhost').waitFor()
  await page.getByRole('region', { name: 'Appearance' }).getByText('Dark').click()
  await page.getByRole('switch', { name: 'Download results by themselves' }).click({ force: true })
  await page.reload()
  assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark')
  assert.equal(await page.getByRole('switch', { name: 'Download results by themselves' }).isChecked(), true)
  await lookFine(page, problems)

  await page.goto(`${server.url}/#/`)
  const photo = { name: 'photo.png', mimeType: 'image/png', buffer: await picture('png', 20, 20) }
  await page.getByLabel('Choose files').setInputFiles([photo])
  const brought = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Convert 1 file' }).click()
  assert.equal((await brought).suggestedFilename(), 'photo.jpg')
})

test('every page of the account can be used by everybody, in the dark and on a phone', async () => {
  for (const at of ['#/keys', '#/webhooks', '#/usage']) {
    const { page, problems, context } = await visit({ at, scheme: 'dark', narrow: true })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await lookFine(page, problems)
    const { scroll, width } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      width: innerWidth,
    }))
    assert.ok(scroll <= width, `${at} is wider than a phone`)
    await context.close()
  }
})
