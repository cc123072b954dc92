/** The builder in a real browser: the same job put together by mouse and by keyboard, checked, run, kept and taken along. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { startDashboard } from './support/dashboard.ts'
import { seriousFaults } from './support/faults.ts'

const { server, visit } = await startDashboard()
const notes = { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Title\n\nwords\n') }

const node = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'The job as a graph' }).locator('.react-flow__node').filter({ hasText: name })
const panel = (page: Page, name: string): Locator => page.getByRole('region', { name: `Set up ${name}` })

async function addByMouse(page: Page, menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: menu }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

async function shownJson(page: Page) {
  const code = page.getByRole('region', { name: 'As code' })
  await code.getByText('JSON', { exact: true }).click()
  return JSON.parse(await code.locator('pre').innerText())
}

/** From the dot of one step to the dot of another. */
async function draw(page: Page, from: string, to: string): Promise<void> {
  const middle = async (dot: Locator) => {
    const place = await dot.boundingBox()
    assert.ok(place)
    return [place.x + place.width / 2, place.y + place.height / 2] as const
  }
  await page.mouse.move(...(await middle(node(page, from).locator('.react-flow__handle.source'))))
  await page.mouse.down()
  const [x, y] = await middle(node(page, to).locator('.react-flow__handle.target'))
  await page.mouse.move(x - 30, y - 10, { steps: 5 })
  await page.mouse.move(x, y, { steps: 3 })
  await page.mouse.up()
}

const GRAPH = {
  import: { operation: 'import/upload' },
  convert: { operation: 'convert', input: 'import', output_format: 'html' },
  export: { operation: 'export/url', input: 'convert' },
}

test('by mouse: upload, convert and export are drawn, connected and run, and each step shows how it goes', async () => {
  const { page, problems } = await visit({ at: '#/builder' })
  await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor()
  await addByMouse(page, 'Add export', 'Download link')
  await page.getByText('It needs a step to take files from.').first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled(), true)
  await addByMouse(page, 'Add import', 'Upload')
  await addByMouse(page, 'Add operation', 'Convert')
  await page.getByText('Choose a target format.').first().waitFor()
  await draw(page, 'convert', 'export')
  await page.getByRole('button', { name: /^Target format: / }).click()
  await page.getByRole('textbox', { name: 'Search formats' }).fill('html')
  await page.getByRole('option', { name: /^HTML/ }).first().click()
  await page.getByText('Ready to run.').waitFor()
  assert.deepEqual((await shownJson(page)).tasks, {
    export: GRAPH.export,
    import: GRAPH.import,
    convert: GRAPH.convert,
  })

  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('dialog').getByRole('button', { name: 'File for import' }).click(),
  ])
  await chooser.setFiles(notes)
  await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click()
  for (const name of ['import', 'convert', 'export']) await node(page, name).getByText('Done').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download notes.html' }).click(),
  ])
  assert.match(await readFile(await download.path(), 'utf8'), /words/)
  assert.deepEqual(problems, [])
  assert.deepEqual(await seriousFaults(page), [])
})

/** Opens a menu and goes down to an item, without a mouse. */
async function addByKeyboard(page: Page, menu: string, item: string): Promise<void> {
  const button = page.getByRole('button', { name: menu })
  await button.focus()
  await page.keyboard.press('Enter')
  const wanted = page.getByRole('menuitem', { name: item, exact: true })
  await wanted.waitFor()
  const isThere = () => wanted.evaluate((element) => element === document.activeElement)
  for (let step = 0; step < 10 && !(await isThere()); step++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForFunction((element) => element === document.activeElement, await button.elementHandle())
}

test('by keyboard: the same job is put together in the list, disconnected, connected again, and run', async () => {
  const { page, problems } = await visit({ at: '#/builder', scheme: 'dark' })
  // Whoever listens only when the key is pressed may be too late to be asked.
  page.on('filechooser', () => {})
  await page.getByRole('radio', { name: 'Canvas' }).focus()
  await page.keyboard.press('ArrowRight')
  await addByKeyboard(page, 'Add import', 'Upload')
  await page.getByRole('button', { name: 'File for the next run' }).focus()
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')])
  await chooser.setFiles(notes)
  await addByKeyboard(page, 'Add operation', 'Convert')
  await page.getByRole('button', { name: /^Target format: / }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Search formats' }).waitFor()
  await page.keyboard.type('html')
  await page.keyboard.press('Enter')
  await addByKeyboard(page, 'Add export', 'Download link')
  await page.getByText('Ready to run.').waitFor()

  const inputs = page.getByRole('combobox', { name: 'Takes from' })
  await inputs.focus()
  await page.keyboard.press('Backspace')
  await page.getByText('It needs a step to take files from.').first().waitFor()
  await page.getByRole('combobox', { name: 'Takes from' }).focus()
  await page.keyboard.press('ArrowDown')
  const option = page.getByRole('option', { name: 'convert' })
  await option.waitFor()
  const isMeant = () => option.evaluate((element) => element.hasAttribute('data-combobox-selected'))
  for (let step = 0; step < 5 && !(await isMeant()); step++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.getByText('Ready to run.').waitFor()
  assert.deepEqual((await shownJson(page)).tasks, GRAPH)
  assert.deepEqual(await seriousFaults(page), [])

  await page.getByRole('button', { name: 'Run', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'This run' }).getByText('Done').waitFor()
  await page.getByRole('link', { name: 'Download notes.html' }).waitFor()
  assert.deepEqual(problems, [])
})

test('what cannot work is said before it is tried, and a removed step comes back', async () => {
  const { page, problems } = await visit({ at: '#/builder' })
  await page.getByRole('button', { name: 'A link to a smaller picture' }).click()
  await page.getByText('Ready to run.').waitFor()
  await node(page, 'import').click()
  await panel(page, 'import').getByRole('textbox', { name: 'url' }).fill('https://example.com/song.mp3')
  await page.getByText('MP3 cannot become WEBP here.').first().waitFor()
  await panel(page, 'import').getByRole('textbox', { name: 'url' }).fill('')
  await page.getByText('url is missing.').first().waitFor()
  await panel(page, 'import').getByRole('textbox', { name: 'Name' }).fill('with space')
  await page.getByText('letters, digits, dash and underscore only.').first().waitFor()
  await panel(page, 'with space').getByRole('textbox', { name: 'Name' }).fill('compress')
  await page.getByText('Another step is called compress too.').first().waitFor()
  await panel(page, 'compress').getByRole('textbox', { name: 'Name' }).fill('import')
  await node(page, 'import').waitFor()

  await node(page, 'compress').click()
  await page.keyboard.press('Delete')
  await node(page, 'compress').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await node(page, 'compress').waitFor()
  assert.deepEqual((await shownJson(page)).tasks.export.input, 'compress')
  assert.deepEqual(problems, [])
})

test('settings come from the server for the formats at hand, and go into the job', async () => {
  const { page, problems } = await visit({ at: '#/builder' })
  await page.getByRole('button', { name: 'A link to a smaller picture' }).click()
  await node(page, 'compress').click()
  const quality = panel(page, 'compress').getByRole('textbox', { name: /^Quality/ })
  await quality.fill('30')
  await quality.blur()
  await page.getByText('"quality": 30').waitFor()
  const { tasks } = await shownJson(page)
  assert.equal(tasks.compress.options.quality, 30)
  const answer = await server.call('POST', '/v1/process/jobs', { tasks })
  assert.equal(answer.status, 201, 'what the builder calls ready, the server accepts')
  assert.deepEqual(problems, [])
})

test('a template is kept in the browser without its secrets, exported, deleted, and imported', async () => {
  const { page, problems } = await visit({ at: '#/builder' })
  await page.getByRole('button', { name: 'Convert an upload' }).click()
  await addByMouse(page, 'Add export', 'To SFTP')
  await panel(page, 'export-2').getByRole('textbox', { name: 'host', exact: true }).fill('files.example.com')
  await panel(page, 'export-2').getByRole('textbox', { name: 'username' }).fill('ada')
  await panel(page, 'export-2')
    .getByRole('button', { name: /^More fields/ })
    .click()
  await panel(page, 'export-2').getByLabel('password', { exact: true }).fill('do not keep me')
  await page.getByRole('button', { name: 'Templates' }).click()
  await page.getByText('Kept in this browser').waitFor()
  await page.getByRole('textbox', { name: 'Name of the template' }).fill('Weekly')
  await page.getByRole('button', { name: 'Save as template' }).click()
  const kept = page.getByRole('button', { name: /^Weekly/ })
  await kept.waitFor()
  assert.equal(await page.evaluate(() => JSON.stringify(localStorage).includes('do not keep me')), false)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export Weekly' }).click(),
  ])
  const exported = await readFile(await download.path(), 'utf8')
  assert.equal(exported.includes('do not keep me'), false)
  assert.equal(JSON.parse(exported).job.tasks['export-2'].host, 'files.example.com')
  assert.deepEqual(await seriousFaults(page), [])
  await page.getByRole('button', { name: 'Delete Weekly' }).click()
  await kept.waitFor({ state: 'detached' })

  await page.reload()
  await page.getByRole('button', { name: 'Templates' }).click()
  await page.getByText('No templates yet').waitFor()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import a file' }).click(),
  ])
  await chooser.setFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from(exported) })
  await kept.click()
  await node(page, 'export-2').waitFor()
  assert.deepEqual(problems, [])
})

test('an earlier job is opened in the builder, on a phone too', async () => {
  const { json } = await server.call('POST', '/v1/process/jobs', { tag: 'earlier', tasks: GRAPH })
  const { page, problems } = await visit({ at: `#/builder/job/${json.id}`, narrow: true })
  await page.getByRole('button', { name: /^convert/ }).click()
  await page.getByRole('textbox', { name: 'Name of the result' }).waitFor()
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, 'nothing sticks out')
  assert.deepEqual(await shownJson(page), { tag: 'earlier', tasks: GRAPH })
  assert.deepEqual(problems, [])
})
