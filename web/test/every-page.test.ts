/** Every page of the navigation, by axe. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { picture } from '../../server/test/support/pictures.ts'
import { stepsOn } from '../../server/test/support/steps.ts'
import { until } from '../../server/test/support/until.ts'
import { startDashboard } from './support/dashboard.ts'
import { OF_COLOURS, seriousFaults } from './support/faults.ts'

const { server, visit } = await startDashboard()

before(async () => {
  const { imported, run } = stepsOn(server)
  const { id } = await imported(await picture('png', 40, 30))
  await run('convert', { input: id, output_format: 'jpg' })
  await run('convert', { input: id, input_format: 'gif', output_format: 'jpg' })
  await server.call('POST', '/v1/account/keys', { name: 'laptop' })
  await server.call('POST', '/v1/admin/users', { email: 'other@example.org' })
})

test('no page has a serious fault, light or dark, nor an error', async () => {
  const { page, problems } = await visit()
  await page.getByRole('heading', { level: 1 }).waitFor()
  const links = page.locator('nav a[href^="#/"]')
  const addresses = [...new Set(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? '')))]
  assert.ok(addresses.length >= 16, addresses.join(' '))
  const faults: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // Colours that are on their way from one to the other would be judged as well.
    await page.reload()
    for (const address of addresses) {
      await page.goto(`${server.url}/${address}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await until(async () => (await page.locator('.mantine-Skeleton-root').count()) === 0, `${address} is all there`)
      const found = await seriousFaults(page, colorScheme === 'dark' ? OF_COLOURS : undefined)
      faults.push(...found.map((fault) => `${address} ${colorScheme}: ${fault}`))
    }
  }
  assert.deepEqual(faults, [])
  assert.deepEqual(problems, [])
})
