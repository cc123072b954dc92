/** The API reference in a real browser: every call is found, read and tried with the key of whoever is signed in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDashboard } from './support/dashboard.ts'
import { seriousFaults } from './support/faults.ts'

const { server, visit } = await startDashboard()

test('a call is searched, filled in and sent with the key, and its answer is shown whole', async () => {
  await server.call('POST', '/v1/process/jobs', { tag: 'find me', tasks: { upload: { operation: 'import/upload' } } })
  const { page, problems } = await visit({ at: '#/reference' })
  await page.getByRole('textbox', { name: 'Search calls' }).fill('list jobs')
  await page.getByRole('link', { name: 'GET /process/jobs', exact: true }).click()
  await page.getByRole('heading', { name: 'List your jobs, newest first.' }).waitFor()
  await page.getByText('tasks:read', { exact: true }).waitFor()
  await page.getByRole('textbox', { name: 'tag', exact: true }).fill('find me')
  await page.getByText('/v1/process/jobs?tag=find+me').waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const answer = page.getByRole('region', { name: 'Answer', exact: true })
  await answer.getByText(/^200/).waitFor()
  await answer.getByText(/^in \d/).waitFor()
  const { docs } = JSON.parse(await answer.locator('pre').innerText())
  assert.deepEqual(
    docs.map(({ tag }: { tag: string }) => tag),
    ['find me'],
  )
  await answer.getByText(/^Headers/).click()
  await answer.getByText('application/json', { exact: false }).waitFor()
  assert.equal((await page.content()).includes(server.key), false, 'the key is nowhere on the page')
  assert.deepEqual(problems, [])
  assert.deepEqual(await seriousFaults(page), [])
})

test('a body is written as a form or as JSON, and a refusal is an answer too', async () => {
  const { page } = await visit({ at: '#/reference/postProcessConvert', scheme: 'dark' })
  await page.getByRole('textbox', { name: 'output_format' }).fill('nonsense')
  await page.getByText('"output_format": "nonsense"').waitFor()
  await page.getByText('JSON', { exact: true }).first().click()
  const body = page.getByRole('textbox', { name: 'Body as JSON' })
  assert.equal(JSON.parse(await body.inputValue()).output_format, 'nonsense')
  await body.fill('{ no json')
  await page.getByText('This is no JSON yet.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled(), true)
  await body.fill('{"input": "nobody", "output_format": "pdf"}')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const answer = page.getByRole('region', { name: 'Answer', exact: true })
  await answer.getByText(/^400/).waitFor()
  assert.match(await answer.locator('pre').innerText(), /"nobody\\" is not the id of a task/)
  assert.deepEqual(await seriousFaults(page), [])
})

test('what removes something asks first', async () => {
  const { json } = await server.call('POST', '/v1/process/jobs', { tasks: { upload: { operation: 'import/upload' } } })
  const { page, problems } = await visit({ at: '#/reference/deleteProcessJobsByJobId' })
  await page.getByText('Fill in jobId first.').waitFor()
  await page.getByRole('textbox', { name: 'jobId' }).fill(json.id)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await server.call('GET', `/v1/process/jobs/${json.id}`)).status, 200)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('region', { name: 'Answer', exact: true }).getByText(/^200/).waitFor()
  assert.equal((await server.call('GET', `/v1/process/jobs/${json.id}`)).status, 404)
  assert.deepEqual(problems, [])
})

test('on a phone the list leads to a call and back, folded until it is looked into', async () => {
  const { page, problems } = await visit({ at: '#/reference', narrow: true })
  const group = page.getByRole('button', { name: /^Formats/ })
  assert.equal(await page.getByRole('link', { name: 'GET /query/formats', exact: true }).count(), 0)
  await group.click()
  await page.getByRole('link', { name: 'GET /query/formats', exact: true }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('region', { name: 'Answer', exact: true }).getByText(/^200/).waitFor()
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, 'nothing sticks out')
  assert.deepEqual(await seriousFaults(page), [])
  await page.getByRole('link', { name: 'All calls' }).click()
  await group.waitFor()
  assert.deepEqual(problems, [])
})
