/** Crop in a real browser: what the frame says is what comes out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { samplePdf, through } from '../../server/test/support/sample-pdf.ts'
import { startDashboard } from './support/dashboard.ts'
import { seriousFaults } from './support/faults.ts'
import { clip, downloaded, drag, HOSTILE, measured, plain, put } from './support/tools.ts'

const { visit } = await startDashboard()

const number = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const numbers = async (page: Page) =>
  Promise.all(
    ['From the left', 'From the top', 'Width', 'Height'].map(async (name) =>
      Number(await number(page, name).inputValue()),
    ),
  )
const run = (page: Page) => page.getByRole('button', { name: 'Crop', exact: true }).click()
const sizeOf = async (bytes: Buffer) => {
  const { width, height, pages, pageHeight } = await sharp(bytes, { animated: true }).metadata()
  return { width, height: pageHeight ?? height, pages: pages ?? 1 }
}

test('a picture is cropped by the mouse, as the numbers say, and never outside', async () => {
  const { page, problems } = await visit({ at: '#/crop' })
  assert.deepEqual(await seriousFaults(page), [])
  const left = await plain('#ff0000', 300, 400)
  const picture = await sharp(await plain('#0000ff', 600, 400))
    .composite([{ input: left, left: 0, top: 0 }])
    .png()
    .toBuffer()
  await put(page, [{ name: `${HOSTILE}.png`, bytes: picture }])
  await page.getByRole('button', { name: 'Bottom right corner' }).waitFor()
  assert.deepEqual(await numbers(page), [60, 40, 480, 320])
  await drag(page, page.getByRole('button', { name: 'Right edge' }), { x: -200, y: 0 })
  await drag(page, page.getByRole('button', { name: /^Frame/ }), { x: 2000, y: 0 })
  const [x = 0, y, width = 0, height] = await numbers(page)
  assert.deepEqual([x + width, y, height], [600, 40, 320])
  assert.ok(width < 400, String(width))
  await page.getByText(`${width} × ${height} px`).waitFor()
  await run(page)
  const bytes = await downloaded(page)
  assert.deepEqual(await sizeOf(bytes), { width, height, pages: 1 })
  const { data } = await sharp(bytes)
    .extract({ left: width - 1, top: 0, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  assert.deepEqual([...data.subarray(0, 3)], [0, 0, 255])
  assert.notEqual(await page.title(), '1')
  assert.deepEqual(await seriousFaults(page), [])
  assert.deepEqual(problems, [])
})

test('a moving picture is cropped by keyboard and by numbers, in proportion', async () => {
  const { page, problems } = await visit({ at: '#/crop', scheme: 'dark' })
  await put(page, [{ name: 'card.gif', bytes: await clip('gif', 1, '200x100') }])
  const corner = page.getByRole('button', { name: 'Bottom right corner' })
  await corner.focus()
  for (const key of ['Shift+ArrowLeft', 'ArrowLeft', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key)
  assert.deepEqual(await numbers(page), [20, 10, 149, 78])
  await page.getByRole('button', { name: /^Frame/ }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowUp')
  await page.keyboard.press('ArrowUp')
  assert.deepEqual(await numbers(page), [21, 0, 149, 78])
  await number(page, 'Width').fill('90')
  assert.deepEqual(await numbers(page), [21, 0, 90, 78])
  await page.getByText('1:1', { exact: true }).click()
  assert.deepEqual((await numbers(page)).slice(2), [100, 100])
  await number(page, 'Height').fill('50')
  await page.getByRole('button', { name: 'Move the frame to the bottom right' }).click()
  assert.deepEqual(await numbers(page), [150, 50, 50, 50])
  assert.deepEqual(await seriousFaults(page), [])
  await run(page)
  assert.deepEqual(await sizeOf(await downloaded(page)), { width: 50, height: 50, pages: 10 })
  assert.deepEqual(problems, [])
})

test('a film is cropped on a picture of it, whether the browser plays it or not', async () => {
  for (const ext of ['mp4', 'avi']) {
    const { page, problems, context } = await visit({ at: '#/crop' })
    await put(page, [{ name: `card.${ext}`, bytes: await clip(ext, 1, '160x90') }])
    await page.getByRole('button', { name: 'Bottom right corner' }).waitFor()
    await number(page, 'Width').fill('81')
    await number(page, 'Height').fill('40')
    assert.deepEqual(await numbers(page), [16, 9, 82, 40])
    await run(page)
    const { width, height } = await measured(await downloaded(page))
    assert.deepEqual([width, height], [82, 40], ext)
    assert.deepEqual(problems, [])
    await context.close()
  }
})

test('a page is cropped on a picture of it', async () => {
  const { page, problems } = await visit({ at: '#/crop' })
  const pages = [{ text: 'One' }, { text: 'Two', width: 600, height: 400 }]
  await put(page, [{ name: 'two.pdf', bytes: samplePdf({ pages }) }])
  await page.getByText('of 300 × 200').waitFor()
  await page.getByRole('button', { name: 'Whole picture' }).click()
  await number(page, 'Width').fill('150')
  await run(page)
  const { said } = await through('pdfinfo', ['-f', '1', '-l', '2', '-box', '{}'], await downloaded(page))
  const boxes = [...said.matchAll(/CropBox:\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)/g)].map((match) =>
    match.slice(1, 5).map(Number),
  )
  assert.deepEqual(boxes, [
    [0, 0, 150, 200],
    [0, 0, 300, 400],
  ])
  assert.deepEqual(problems, [])
})
