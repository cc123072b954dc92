/** The frame around the pages: signing in, finding one's way by keyboard, a lost connection. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startServer } from '../../server/test/support/server.ts'
import { startDashboard } from './support/dashboard.ts'
import { seriousFaults } from './support/faults.ts'

const { server, visit } = await startDashboard()

test('a stranger is asked to sign in, and then arrives where they meant to go', async () => {
  const { page, problems } = await visit({ key: null, at: '#/compress' })
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  const byKey = page.getByRole('button', { name: 'Sign in with an API key' })
  if (await byKey.isVisible()) await byKey.click()
  await page.getByLabel('API key').fill('not a key')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').getByText('This key is not valid here.').waitFor()
  await page.getByLabel('API key').fill(server.key)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Compress', level: 1 }).waitFor()
  assert.equal(await page.title(), 'Compress · Reforge')
  assert.deepEqual(
    problems.filter((text) => !text.includes('status of 401')),
    [],
  )
})

test('the page allows no script but ours, and styles by a nonce that is good once', async () => {
  const policies = await Promise.all(
    [1, 2].map(async () => {
      const answer = await server.fetch('/')
      const policy = answer.headers.get('content-security-policy') ?? ''
      const [, nonce = ''] = /style-src 'self' 'nonce-([^']+)'/.exec(policy) ?? []
      assert.ok((await answer.text()).includes(`<meta property="csp-nonce" nonce="${nonce}"`))
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.match(policy, /default-src 'none'; script-src 'self';/)
      assert.doesNotMatch(policy, /unsafe/)
      return nonce
    }),
  )
  assert.notEqual(policies[0], policies[1])
})

test('the first view brings less than 250 kB of script, gzipped', async () => {
  const { page } = await visit()
  await page.getByRole('heading', { name: 'Drop files to convert' }).waitFor()
  const scripts = await page.evaluate(() =>
    performance.getEntriesByType('resource').flatMap(({ name }) => (name.endsWith('.js') ? [name] : [])),
  )
  const sizes = scripts.map(async (url) => gzipSync(await (await server.fetch(url)).arrayBuffer()).length)
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  assert.ok(total > 100_000 && total < 250_000, `${total} bytes`)
})

test('the keyboard skips the menu, and arrives at a new page with the focus', async () => {
  const { page } = await visit()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'MAIN')
  await page.getByRole('link', { name: 'Compress', exact: true }).first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Compress', level: 1 }).waitFor()
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'MAIN')
})

test('on a phone the menu opens, leads on, and closes', async () => {
  const { page } = await visit({ narrow: true })
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Compress' }).click()
  await page.getByRole('heading', { name: 'Compress', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Open the menu' }).waitFor()
  assert.deepEqual(await seriousFaults(page), [])
})

test('dark stays dark after loading again, and an unknown address says so', async () => {
  const { page } = await visit({ at: '#/nowhere' })
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Dark' }).click()
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark')
})

test('a lost connection is told, and so is its return', async () => {
  const again = await startServer()
  try {
    const { port } = new URL(again.url)
    const { page } = await visit({ key: null })
    await page.goto('about:blank')
    await page.context().addInitScript((key) => {
      if (location.protocol === 'https:') sessionStorage.setItem('reforge-key', key)
    }, again.key)
    await page.goto(`${again.url}/`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await again.stop()
    await page.getByText('The connection to the server is lost').waitFor()
    const back = await startServer({ data: again.data, env: { REFORGE_PORT: port } })
    try {
      await page.getByText('Connected again.').waitFor()
      assert.equal(await page.getByText('The connection to the server is lost').count(), 0)
    } finally {
      await back.stop()
    }
  } finally {
    await again[Symbol.asyncDispose]()
  }
})
