/** The first start: from the printed link to a key and a conversion; and what guests see. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { picture } from '../../server/test/support/pictures.ts'
import { startDashboard } from './support/dashboard.ts'
import { seriousFaults } from './support/faults.ts'

const { server, visit } = await startDashboard({ env: { REFORGE_GUESTS: '1' } })
const EMAIL = 'first@example.com'
const PASSWORD = 'seven green lamps'
const OTHER = 'eight amber clocks'

test('whoever started the server sets a password, is guided, signs in again, and converts a file', async () => {
  const hash = /#\/welcome\/\S+/.exec(server.printed())?.[0] ?? assert.fail('no link was printed')
  const { page, problems } = await visit({ key: null, at: hash })
  await page.getByRole('heading', { name: 'Welcome to Reforge' }).waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await page.getByRole('textbox', { name: 'E-mail' }).fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Password, again').fill('something else')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('The two are not the same.').waitFor()
  await page.getByLabel('Password, again').fill(PASSWORD)
  await page.getByRole('button', { name: 'Set the password' }).click()

  await page.getByRole('img', { name: 'The sample' }).waitFor()
  await page.getByRole('button', { name: 'Convert the sample to WebP' }).click()
  await page.getByText(/^Done: PNG of .* → WebP of/).waitFor()
  const decoded = await page.getByRole('img', { name: 'The result' }).evaluate(async (image) => {
    await (image as HTMLImageElement).decode()
    return (image as HTMLImageElement).naturalWidth
  })
  assert.equal(decoded, 640)
  assert.deepEqual(await seriousFaults(page), [])
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Make a key' }).click()
  const secret = await page.locator('code').innerText()
  await page.getByRole('button', { name: 'Next' }).click()
  assert.ok((await page.locator('pre').innerText()).includes(`KEY='${secret}'`))
  assert.deepEqual(await seriousFaults(page), [])
  await page.getByRole('button', { name: 'Start converting' }).click()
  assert.equal(
    (await server.call('GET', '/v1/process/jobs', undefined, { authorization: `Bearer ${secret}` })).status,
    200,
  )

  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.goto(`${server.url}/#/sign-in`)
  await page.getByRole('textbox', { name: 'E-mail' }).fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const photo = { name: 'photo.png', mimeType: 'image/png', buffer: await picture('png', 60, 40) }
  await page.getByLabel('Choose files').setInputFiles([photo])
  await page.getByRole('button', { name: 'Convert 1 file' }).click()
  await page.getByText('1 of 1 done').first().waitFor()
  // Signing out ends the live connection on both sides; the browser tells of the one that was just being made again.
  assert.deepEqual(
    problems.filter((problem) => !/WebSocket is closed before/.test(problem)),
    [],
  )

  await page.goto(`${server.url}/#/settings`)
  await page.getByLabel('Current password').fill(PASSWORD)
  await page.getByLabel('New password', { exact: true }).fill(OTHER)
  await page.getByLabel('New password, again').fill(OTHER)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('The password is changed.').waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  const signIn = (password: string) =>
    server.fetch('/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url },
      body: JSON.stringify({ email: EMAIL, password }),
    })
  assert.equal((await signIn(OTHER)).status, 200)
  assert.equal((await signIn(PASSWORD)).status, 401)

  const again = await visit({ key: null, at: hash, scheme: 'dark', narrow: true })
  await again.page.getByRole('heading', { name: 'This link does not work any more' }).waitFor()
  assert.deepEqual(await seriousFaults(again.page), [])
})

test('a guest sees the tools and what a guest is, and nothing that wants an account', async () => {
  const { page, problems } = await visit({ key: null, scheme: 'dark' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  const names = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()
  assert.ok(names.includes('Crop'))
  for (const name of ['Jobs', 'Keys', 'Webhooks', 'Usage', 'Settings', 'Users', 'System'])
    assert.equal(names.includes(name), false, `${name} is not for guests`)
  await page.getByText('You are here as a guest.').waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await page.goto(`${server.url}/#/keys`)
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  assert.deepEqual(problems, [])
})
