/** Merge in a real browser: the order that dragging makes is the order in the bytes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { samplePdf, through } from '../../server/test/support/sample-pdf.ts'
import { startDashboard } from './support/dashboard.ts'
import { seriousFaults } from './support/faults.ts'
import { downloaded, drag, HOSTILE, plain, put } from './support/tools.ts'

const { server, visit } = await startDashboard()

const document = (name: string, ...texts: string[]) => ({
  name,
  bytes: samplePdf({ pages: texts.map((text) => ({ text })) }),
})
const handle = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^Move ${name}, `) })
const order = (page: Page) =>
  page
    .getByRole('button', { name: /^Move / })
    .evaluateAll((handles) => handles.map((each) => /^Move (.*), now at/.exec(each.ariaLabel ?? '')?.[1]))
const textOf = async (bytes: Buffer) => (await through('pdftotext', ['{}', '-'], bytes)).said.match(/\w+/g)

test('files dragged with the mouse are merged in that order', async () => {
  const { page, problems } = await visit({ at: '#/merge' })
  await put(page, [document('a.pdf', 'Ada'), document('b.pdf', 'Bob', 'Ben'), document('c.pdf', 'Cleo')])
  await handle(page, 'c.pdf').waitFor()
  await drag(page, handle(page, 'a.pdf'), handle(page, 'c.pdf'))
  await page.getByText('a.pdf is now at place 3 of 3.').waitFor({ state: 'attached' })
  assert.deepEqual(await order(page), ['b.pdf', 'c.pdf', 'a.pdf'])
  await page.getByRole('button', { name: 'Merge 3 files' }).click()
  assert.deepEqual(await textOf(await downloaded(page)), ['Bob', 'Ben', 'Cleo', 'Ada'])

  // The files are on the server already: a second merge sends nothing.
  await page.getByRole('textbox', { name: 'Pages of b.pdf' }).fill('2')
  await page.getByRole('button', { name: 'Reverse' }).click()
  const first = await page.getByRole('link', { name: /^Download / }).getAttribute('href')
  await page.getByRole('button', { name: 'Merge 3 files' }).click()
  await page.waitForFunction((old) => {
    const now = globalThis.document.querySelector('a[download]')?.getAttribute('href')
    return now && now !== old
  }, first)
  assert.deepEqual(await textOf(await downloaded(page)), ['Ada', 'Cleo', 'Ben'])
  const { json } = await server.call('GET', '/v1/process/tasks?operation=import/upload')
  assert.equal(json.docs.length, 3)
  assert.deepEqual(problems, [])
})

test('files moved by keyboard are merged in that order, with words for those who listen', async () => {
  const { page, problems } = await visit({ at: '#/merge', scheme: 'dark' })
  assert.deepEqual(await seriousFaults(page), [])
  const colours = { red: '#ff0000', green: '#00ff00', blue: '#0000ff' }
  const files = Object.entries(colours).map(async ([name, colour]) => ({
    name: `${name}.png`,
    bytes: await plain(colour),
  }))
  await put(page, await Promise.all(files))
  await handle(page, 'red.png').focus()
  await page.keyboard.press('Space')
  await page.getByText('red.png is lifted from place 1 of 3.').waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowRight')
  await page.getByText('red.png is over place 2 of 3.').waitFor({ state: 'attached' })
  await page.keyboard.press('Space')
  await page.getByText('red.png is now at place 2 of 3.').waitFor({ state: 'attached' })
  assert.deepEqual(await order(page), ['green.png', 'red.png', 'blue.png'])
  assert.deepEqual(await seriousFaults(page), [])
  await page.getByText('GIF', { exact: true }).click()
  await page.getByLabel('Delay').fill('500')
  await page.getByRole('button', { name: 'Merge 3 files' }).click()
  const gif = await downloaded(page)
  const { pages, delay } = await sharp(gif, { animated: true }).metadata()
  assert.deepEqual([pages, delay], [3, [500, 500, 500]])
  const dominant = async (at: number) => (await sharp(gif, { page: at }).stats()).dominant
  const [first, second] = [await dominant(0), await dominant(1)]
  assert.ok(first.g > 200 && first.r < 60, JSON.stringify(first))
  assert.ok(second.r > 200 && second.g < 60, JSON.stringify(second))
  assert.deepEqual(problems, [])
})

test('a rotated file is merged rotated, a removed one comes back, and names are only names', async () => {
  const { page, problems } = await visit({ at: '#/merge' })
  assert.deepEqual(await seriousFaults(page), [])
  await put(page, [
    { name: `${HOSTILE}.png`, bytes: await plain('#ff0000', 60, 20) },
    document('page.pdf', 'Page'),
    { name: 'notes.txt', bytes: Buffer.from('no picture') },
  ])
  await page.getByText('notes.txt is not a kind of file that can be used here.').waitFor()
  await page.getByText(`${HOSTILE}.png`).first().waitFor()
  await page.getByRole('button', { name: 'Remove page.pdf' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: `Rotate ${HOSTILE}.png` }).click()
  await page.getByRole('button', { name: 'Merge 2 files' }).click()
  const bytes = await downloaded(page)
  const { said } = await through('pdfinfo', ['{}'], bytes)
  const [, width, height] = /Page size:\s+([\d.]+) x ([\d.]+)/.exec(said) ?? []
  assert.ok(Number(height) > 2.5 * Number(width), said)
  assert.notEqual(await page.title(), '1')
  assert.deepEqual(await seriousFaults(page), [])
  assert.deepEqual(problems, [])
})
