/** Users, Plans, System and Audit in a real browser on a real server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startDashboard } from './support/dashboard.ts'
import { seriousFaults } from './support/faults.ts'

const { server, visit } = await startDashboard()
const PASSWORD = 'seven green lamps'

const row = (page: Page, text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text })
const menuOf = async (page: Page, button: string, item: string) => {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function invite(page: Page, email: string): Promise<string> {
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill(email)
  await page.getByRole('button', { name: 'Make the link' }).click()
  const dialog = page.getByRole('dialog', { name: 'The invitation' })
  const link = await dialog.locator('code').innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  return link
}

async function setPassword(page: Page): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Password, again').fill(PASSWORD)
  await page.getByRole('button', { name: 'Set the password' }).click()
}

test('somebody is invited, sets a password elsewhere, is suspended, let in again and deleted', async () => {
  const { page, problems } = await visit({ at: '#/users' })
  const link = await invite(page, 'ada@example.com')
  await row(page, 'ada@example.com').getByText('Invited, not here yet').waitFor()

  const other = await visit({ key: null, at: new URL(link).hash })
  await other.page.getByText('ada@example.com').waitFor()
  await setPassword(other.page)
  await other.page.getByRole('button', { name: 'Skip all of it' }).click()
  await other.page.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await other.page.getByRole('link', { name: 'Keys' }).count(), 1)
  assert.equal(await other.page.getByRole('link', { name: 'Users' }).count(), 0, 'administration is for administrators')
  await other.page.goto(`${server.url}/#/users`)
  await other.page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  assert.deepEqual(other.problems, [])

  await page.getByRole('searchbox').fill('ada@')
  await page.getByText('admin@localhost').waitFor({ state: 'detached' })
  await menuOf(page, 'What to do with ada@example.com', 'Suspend')
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await row(page, 'ada@example.com').getByText('Suspended').waitFor()
  await other.page.goto(`${server.url}/?again#/sign-in`)
  await other.page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.com')
  await other.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.page.getByText('This account is suspended').waitFor()

  await menuOf(page, 'What to do with ada@example.com', 'Let in again')
  await row(page, 'Suspended').waitFor({ state: 'detached' })
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.page.getByRole('link', { name: 'Keys' }).waitFor()

  await menuOf(page, 'What to do with ada@example.com', 'Delete')
  const asking = page.getByRole('dialog', { name: 'Delete ada@example.com?' })
  assert.equal(await asking.getByRole('button', { name: 'Delete' }).isDisabled(), true)
  await asking.getByRole('textbox').fill('ada@example.com')
  assert.deepEqual(await seriousFaults(page), [])
  await asking.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nobody has an address like that.').waitFor()
  assert.deepEqual(problems, [])
})

test('a link for a new password works once, and an address with markup in it is only text', async () => {
  const { page, problems } = await visit({ at: '#/users' })
  const odd = '<img/src=x/onerror=document.title=1>@example.com'
  const first = await invite(page, odd)
  await menuOf(page, `What to do with ${odd}`, 'Make a new invitation link')
  const second = await page.getByRole('dialog', { name: 'A new password' }).locator('code').innerText()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await row(page, odd).waitFor()
  assert.equal(await page.title(), 'Users · Reforge')

  const other = await visit({ key: null, at: new URL(first).hash })
  await other.page.getByRole('heading', { name: 'This link does not work any more' }).waitFor()
  await other.page.goto(`${server.url}/?again${new URL(second).hash}`)
  await setPassword(other.page)
  await other.page.getByRole('heading', { name: 'Get started' }).waitFor()
  assert.deepEqual(problems, [])
})

test('a plan is made with its units, given to somebody, and deleted when nobody has it', async () => {
  const { page, problems } = await visit({ at: '#/plans' })
  await page.getByRole('button', { name: 'New plan' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('team')
  await page.getByRole('textbox', { name: 'Minutes a day' }).fill('90')
  await page.getByRole('textbox', { name: 'Largest file' }).fill('250')
  assert.deepEqual(await seriousFaults(page), [])
  await page.getByRole('button', { name: 'Make the plan' }).click()
  await row(page, 'team').getByText('files up to 250 MB').waitFor()
  const { plans } = (await server.call('GET', '/v1/admin/plans')).json
  const made = plans.find(({ name }: { name: string }) => name === 'team')
  assert.deepEqual([made.minutesPerDay, made.maxFileSize, made.concurrency], [90, 250_000_000, null])

  await menuOf(page, 'What to do with the plan team', 'Change')
  await page.getByRole('textbox', { name: 'Minutes a day' }).fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await row(page, 'team').getByText('90 min a day').waitFor({ state: 'detached' })
  await menuOf(page, 'What to do with the plan team', 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await row(page, 'team').waitFor({ state: 'detached' })
  assert.deepEqual(problems, [])
})

test('the system is shown with what failed, and looks again by itself', async () => {
  const { page, problems } = await visit({ at: '#/system' })
  await page.getByRole('region', { name: 'Engines' }).getByText('sharp', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'This server' }).getByText('free').waitFor()
  const broken = { operation: 'import/base64', filename: 'broken.png', file: 'data:image/png;base64,iVBORw0KGgo=' }
  const tasks = { in: broken, out: { operation: 'convert', input: 'in', output_format: 'webp', input_format: 'png' } }
  const { id } = (await server.call('POST', '/v1/process/jobs', { tasks })).json
  assert.equal((await server.call('GET', `/v1/process/jobs/${id}/wait`)).json.status, 'failed')
  const failures = page.getByRole('region', { name: 'Failures by engine' }).first()
  await failures.getByRole('row', { name: /convert/ }).waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  assert.deepEqual(problems, [])
})

test('the audit log is narrowed down to a user and to an action', async () => {
  const { page, problems } = await visit({ at: '#/users', scheme: 'dark' })
  await menuOf(page, 'What to do with admin@localhost', 'What they did')
  const log = page.getByRole('list', { name: 'What was done' })
  await log.getByText('Deleted a user').waitFor()
  await page.getByRole('combobox', { name: 'Action' }).click()
  await page.getByRole('option', { name: 'Made a plan' }).click()
  await log.getByText('Deleted a user').waitFor({ state: 'detached' })
  await log.getByText('plan:team').waitFor()
  assert.equal(await page.getByRole('combobox', { name: 'User' }).inputValue(), 'admin@localhost')
  assert.deepEqual(await seriousFaults(page), [])
  assert.deepEqual(problems, [])
})

test('every page of the administration can be used by everybody, in the dark and on a phone', async () => {
  for (const at of ['#/users', '#/plans', '#/system', '#/audit']) {
    const { page, problems, context } = await visit({ at, scheme: 'dark', narrow: true })
    await page
      .getByRole('heading', { level: 2 })
      .or(page.getByRole('listitem'))
      .or(page.getByRole('row'))
      .first()
      .waitFor()
    assert.deepEqual(await seriousFaults(page), [], at)
    assert.deepEqual(problems, [])
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    assert.equal(wide, false, `${at} is wider than a phone`)
    await context.close()
  }
})
