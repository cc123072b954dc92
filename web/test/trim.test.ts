/** Trim in a real browser: what is marked is what stays. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startDashboard } from './support/dashboard.ts'
import { seriousFaults } from './support/faults.ts'
import { clip, downloaded, drag, HOSTILE, measured, put } from './support/tools.ts'

const { server, visit } = await startDashboard()

const slider = (page: Page, name: string) => page.getByRole('slider', { name })
const run = (page: Page) => page.getByRole('button', { name: 'Trim', exact: true }).click()
const near = (actual: number, expected: number, slack: number) =>
  assert.ok(Math.abs(actual - expected) <= slack, `${actual} is not ${expected}`)
const timeOf = async (page: Page, name: string) => Number(await slider(page, name).getAttribute('aria-valuenow'))

test('a recording is trimmed by keyboard, to the tenth', async () => {
  const { page, problems } = await visit({ at: '#/trim', scheme: 'dark' })
  assert.deepEqual(await seriousFaults(page), [])
  await put(page, [{ name: `${HOSTILE}.wav`, bytes: await clip('wav', 6) }])
  await slider(page, 'Start of part 1').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('ArrowRight')
  await slider(page, 'End of part 1').focus()
  for (const key of ['Shift+ArrowLeft', 'Shift+ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key)
  assert.equal(await slider(page, 'Start of part 1').getAttribute('aria-valuetext'), '0:01.1')
  assert.equal(await page.getByRole('textbox', { name: 'End of part 1' }).inputValue(), '0:03.9')
  await page.locator('svg path[d^="M0.2"]').waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await run(page)
  near((await measured(await downloaded(page))).seconds, 2.8, 0.001)
  assert.notEqual(await page.title(), '1')
  const { json } = await server.call('GET', '/v1/process/tasks')
  const operations = json.docs.map(({ operation }: { operation: string }) => operation)
  // The browser played and drew it itself, and it was sent once.
  assert.deepEqual(operations.sort(), ['export/url', 'import/upload', 'trim'])
  assert.deepEqual(problems, [])
})

test('a film is trimmed by the mouse, several parts are joined, and playing keeps to them', async () => {
  const { page, problems } = await visit({ at: '#/trim' })
  assert.deepEqual(await seriousFaults(page), [])
  await put(page, [{ name: 'card.mp4', bytes: await clip('mp4', 6, '160x90') }])
  const track = await slider(page, 'End of part 1').evaluate(
    (handle) => handle.parentElement?.parentElement?.clientWidth ?? 0,
  )
  await drag(page, slider(page, 'End of part 1'), { x: (-track * 2) / 3, y: 0 })
  const end = await timeOf(page, 'End of part 1')
  near(end, 2, 0.2)
  await page.getByRole('button', { name: 'Add a part' }).click()
  await page.getByRole('textbox', { name: 'Start of part 2' }).fill('4')
  await page.getByRole('textbox', { name: 'End of part 2' }).fill('0:05.5')
  await page.getByRole('textbox', { name: 'End of part 2' }).press('Enter')
  await page.getByRole('button', { name: 'Play part 2' }).click()
  await page.waitForFunction(
    () => Number(document.querySelector('[aria-label="Playback position"]')?.getAttribute('aria-valuenow')) > 4.2,
  )
  await page.getByRole('button', { name: 'Play what stays' }).waitFor()
  near(await timeOf(page, 'Playback position'), 5.5, 0.1)
  assert.deepEqual(await seriousFaults(page), [])
  await run(page)
  near((await measured(await downloaded(page))).seconds, end + 1.5, 0.25)
  assert.deepEqual(problems, [])
})

test('what the browser cannot play is shown by a preview of the server, and trimmed all the same', async () => {
  const samples = [
    { name: 'tone.aiff', bytes: await clip('aiff', 4) },
    { name: 'card.avi', bytes: await clip('avi', 4, '160x90') },
    { name: 'card.gif', bytes: await clip('gif', 4, '160x90') },
  ]
  for (const sample of samples) {
    const { page, problems, context } = await visit({ at: '#/trim' })
    await put(page, [sample])
    await slider(page, 'End of part 1').focus()
    if (sample.name.endsWith('aiff')) await page.locator('svg path[d^="M0.2"]').waitFor()
    await page.keyboard.press('Home')
    for (const _ of [1, 2]) await page.keyboard.press('Shift+ArrowRight')
    near(await timeOf(page, 'End of part 1'), 2.1, 0.001)
    await run(page)
    near((await measured(await downloaded(page))).seconds, 2.1, 0.11)
    assert.deepEqual(problems, [])
    await context.close()
  }
})
