/** Jobs in a real browser on a real server: a long list that stays still, and a job watched, ended, repeated and removed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '@reforge/sdk'
import type { Locator, Page } from 'playwright-core'
import { startServer } from '../../server/test/support/server.ts'
import { startDashboard } from './support/dashboard.ts'
import { seriousFaults } from './support/faults.ts'

const { server, visit } = await startDashboard()

/** A job that waits for its file, then makes a web page of it. */
async function makeJob(tag: string): Promise<Job> {
  const tasks = {
    notes: { operation: 'import/upload' },
    page: { operation: 'convert', input: 'notes', output_format: 'html' },
    link: { operation: 'export/url', input: 'page' },
  }
  return (await server.call('POST', '/v1/process/jobs', { tag, tasks })).json
}

async function sendFile({ tasks = [] }: Job, name: string, text = '# Title\n'): Promise<void> {
  const form = tasks.find((task) => task.name === 'notes')?.result.form
  assert.ok(form)
  const head = '--border\r\nContent-Disposition: form-data; name='
  const fields = Object.entries(form.parameters).map(([field, value]) => `${head}"${field}"\r\n\r\n${value}\r\n`)
  const file = `${head}"file"; filename="${name.replaceAll('"', '%22')}"\r\n\r\n${text}\r\n--border--\r\n`
  const headers = { 'content-type': 'multipart/form-data; boundary=border' }
  const answer = await server.fetch(form.url, { method: 'POST', headers, body: fields.join('') + file })
  assert.equal(answer.status, 200, await answer.text())
}

const rows = (page: Page): Locator => page.getByRole('list', { name: 'Jobs' }).getByRole('listitem')
const box = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Tasks' }).getByRole('button', { name: new RegExp(`^${name}`) })

test('hundreds of jobs are a few rows at a time, and stay still while new ones come', async () => {
  for (let number = 1; number <= 220; number++)
    await server.call('POST', '/v1/process/jobs', {
      tag: `batch ${number}`,
      tasks: { upload: { operation: 'import/upload' } },
    })
  const { page, problems } = await visit({ at: '#/jobs' })
  await page.getByText('220 jobs').waitFor()
  await rows(page).first().getByText('batch 220').waitFor()
  assert.ok((await rows(page).count()) < 50, 'only what is in sight exists')

  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await page.getByText('batch 1', { exact: true }).waitFor()
  assert.ok((await rows(page).count()) < 50)
  await page.evaluate(() => window.scrollTo(0, 110 * 64))
  const looked = page.getByText('batch 108', { exact: true })
  await looked.waitFor()
  const before = await looked.boundingBox()
  const { id } = await makeJob('the newest')
  const pill = page.getByRole('button', { name: '1 new job: go to the top' })
  await pill.waitFor()
  assert.deepEqual(await looked.boundingBox(), before, 'the row one looks at does not move')
  await pill.click()
  await rows(page).first().getByText('the newest').waitFor()
  await server.call('DELETE', `/v1/process/jobs/${id}`)
  await rows(page).first().getByText('batch 220').waitFor()
  assert.deepEqual(problems, [])
})

test('the list is narrowed by words, status, operation and tag', async () => {
  const job = await makeJob('quarterly report')
  await sendFile(job, 'figures.md')
  await server.call('GET', `/v1/process/jobs/${job.id}/wait`)
  const { page, problems } = await visit({ at: '#/jobs' })
  await page.getByRole('textbox', { name: 'Search by file name, tag or id' }).fill('FIGURES')
  await page.getByText('1 job', { exact: true }).waitFor()
  await rows(page).getByText('figures.md').waitFor()
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Failed' }).click()
  await page.getByText('No job fits these filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('221 jobs').waitFor()
  await page.getByRole('combobox', { name: 'Operation' }).click()
  await page.getByRole('option', { name: 'Convert', exact: true }).click()
  await page.getByText('1 job', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('textbox', { name: 'Tag', exact: true }).fill('batch 7')
  await page.getByText('1 job', { exact: true }).waitFor()
  await rows(page).getByText('batch 7', { exact: true }).waitFor()
  assert.deepEqual(problems, [])
})

test('a job is watched from the wait for its file to its result', async () => {
  const job = await makeJob('watched')
  const { page, problems } = await visit({ at: `#/jobs/${job.id}` })
  await box(page, 'notes').getByText('Running').waitFor()
  await box(page, 'page').getByText('Waiting').waitFor()
  await page.getByText('This task waits for its file.').waitFor()
  assert.deepEqual(await seriousFaults(page), [])

  await sendFile(job, 'notes.md')
  for (const name of ['notes', 'page', 'link']) await box(page, name).getByText('Done').waitFor()
  await page.getByRole('heading', { name: 'notes.md', level: 1 }).waitFor()

  await box(page, 'link').click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download notes.html' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'notes.html')
  await box(page, 'page').click()
  await page.getByText('MD → HTML').waitFor()
  await page.getByText(/options? applied/).click()
  await page.getByText('Request', { exact: true }).click()
  await page.getByText('"output_format": "html"').first().waitFor()
  await page.getByText('waited', { exact: false }).first().waitFor()
  const code = page.getByRole('region', { name: 'As code' })
  await code.getByText('JSON', { exact: true }).click()
  assert.equal(JSON.parse(await code.locator('pre').innerText()).tasks.page.output_format, 'html')
  assert.deepEqual(problems, [])
})

test('a file that is given in the page starts the job, and the whole is repeated with the same file', async () => {
  const job = await makeJob('to be repeated')
  const { page, problems } = await visit({ at: `#/jobs/${job.id}` })
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Send the file' }).click(),
  ])
  await chooser.setFiles({ name: 'again.md', mimeType: 'text/markdown', buffer: Buffer.from('words') })
  await box(page, 'link').getByText('Done').waitFor()

  await page.getByRole('button', { name: 'Run again' }).click()
  await page.getByText('1 file is taken from the earlier run.').waitFor()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.waitForURL((url) => !url.hash.includes(job.id))
  await box(page, 'link').getByText('Done').waitFor()
  await page.getByRole('link', { name: 'Download again.html' }).waitFor()
  const second = new URL(page.url()).hash.split('/').at(-1)
  const { json } = await server.call('GET', `/v1/process/jobs/${second}`)
  assert.equal(json.tag, 'to be repeated')
  assert.deepEqual(
    json.tasks.map(({ name }: { name: string }) => name),
    ['page', 'link'],
  )
  assert.deepEqual(problems, [])
})

test('a job is canceled, asked about before it is deleted, and gone then', async () => {
  const job = await makeJob('unwanted')
  const { page, problems } = await visit({ at: `#/jobs/${job.id}` })
  await page.getByRole('button', { name: 'Cancel job' }).click()
  await box(page, 'notes').getByText('Canceled').waitFor()
  assert.equal((await server.call('GET', `/v1/process/jobs/${job.id}`)).json.status, 'failed')

  await page.getByRole('button', { name: 'Run again' }).click()
  await page.getByText('Files that were uploaded are not here any more.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled(), true)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByText('go for good').waitFor()
  assert.equal((await server.call('GET', `/v1/process/jobs/${job.id}`)).status, 200)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor()
  assert.equal((await server.call('GET', `/v1/process/jobs/${job.id}`)).status, 404)
  // Canceling one task ends those that wait for it, before they are canceled themselves.
  assert.deepEqual(
    problems.filter((text) => !text.includes('status of 409')),
    [],
  )
})

test('a failed job says why, in a sentence', async () => {
  const job = await makeJob('broken')
  await sendFile(job, 'broken.png', 'no picture')
  await server.call('GET', `/v1/process/jobs/${job.id}/wait`)
  const { page } = await visit({ at: `#/jobs/${job.id}`, scheme: 'dark', narrow: true })
  const why = (await server.call('GET', `/v1/process/jobs/${job.id}`)).json.tasks.find(
    (task: { name: string; result: { msg?: string } }) => task.name !== 'link' && task.result.msg,
  ).result.msg
  await page.getByRole('alert').getByText(why).first().waitFor()
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, 'nothing sticks out')
  assert.deepEqual(await seriousFaults(page), [])
})

test('a tag and a file name with markup do nothing', async () => {
  const evil = '<img src=x onerror="window.hit = true"><script>window.hit = true</script>'
  const job = await makeJob(evil)
  await sendFile(job, `${evil.replaceAll('/', '')}.md`)
  await server.call('GET', `/v1/process/jobs/${job.id}/wait`)
  const { page, problems } = await visit({ at: '#/jobs' })
  await rows(page).first().getByText(evil).waitFor()
  await rows(page).first().getByRole('link').click()
  await box(page, 'link').getByText('Done').waitFor()
  await page.getByText(evil, { exact: true }).first().waitFor()
  assert.equal(await page.evaluate(() => 'hit' in window), false)
  assert.equal(await page.locator('main img, main script').count(), 0)
  assert.deepEqual(problems, [])
})

test('the list has no serious fault, light and dark, wide and narrow', async () => {
  for (const scheme of ['light', 'dark'] as const) {
    const { page, context } = await visit({ at: '#/jobs', scheme, narrow: scheme === 'dark' })
    await rows(page).first().waitFor()
    assert.deepEqual(await seriousFaults(page), [])
    const { width } = page.viewportSize() ?? { width: 0 }
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, 'nothing sticks out')
    await context.close()
  }
})

test('what happened while the connection was lost is there when it is back', async () => {
  const { page } = await visit({ at: '#/jobs' })
  await rows(page).first().waitFor()
  await server.stop()
  await page.getByText('The connection to the server is lost').waitFor()
  const again = await startServer({ data: server.data, env: { REFORGE_PORT: new URL(server.url).port } })
  try {
    await again.call('POST', '/v1/process/jobs', {
      tag: 'meanwhile',
      tasks: { upload: { operation: 'import/upload' } },
    })
    await rows(page).first().getByText('meanwhile').waitFor()
    await page.getByText('The connection to the server is lost').waitFor({ state: 'detached' })
  } finally {
    await again.stop()
  }
})
