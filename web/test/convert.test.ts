/** Convert and Compress in a real browser on a real server: from the drop to the bytes that come home. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Download, Page } from 'playwright-core'
import { picture } from '../../server/test/support/pictures.ts'
import { zipEntries } from '../../server/test/support/zip-entries.ts'
import { startDashboard } from './support/dashboard.ts'
import { seriousFaults } from './support/faults.ts'

const { server, visit } = await startDashboard({ env: { REFORGE_GUESTS: '1' } })
const png = await picture('png', 120, 80)
const file = (name: string, buffer = png, mimeType = 'image/png') => ({ name, mimeType, buffer })

const choose = (page: Page, files: ReturnType<typeof file>[]) => page.getByLabel('Choose files').setInputFiles(files)
const bytesOf = async (download: Download): Promise<Buffer> => readFile(await download.path())
const done = (page: Page, count: number) => page.getByRole('status').getByText(`${count} of ${count} done`).waitFor()

async function downloaded(page: Page, name: string | RegExp): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()])
  return download
}

test('three files are dropped, set up, converted, looked at, and come home with the right bytes', async () => {
  const { page, problems } = await visit()
  await page.getByRole('heading', { name: 'Drop files to convert' }).waitFor()
  const drop = await page.evaluateHandle(
    (bytes) => {
      const data = new DataTransfer()
      for (const name of ['one.png', 'two.png'])
        data.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }))
      data.items.add(new File(['# Title\n\nWords.\n'], 'notes.md', { type: 'text/markdown' }))
      return data
    },
    [...png],
  )
  await page.dispatchEvent('body', 'drop', { dataTransfer: drop })
  await page.getByRole('button', { name: 'Target format of two.png: JPG' }).waitFor()

  await page.getByRole('textbox', { name: 'Quality', exact: true }).fill('40')
  await page.getByRole('button', { name: 'Target format of two.png' }).click()
  await page.getByRole('textbox', { name: 'Search formats' }).fill('webp')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Convert 3 files' }).click()
  await page.getByRole('button', { name: 'Stop all' }).waitFor()
  await done(page, 3)

  const { json } = await server.call('GET', '/v1/process/tasks?operation=convert&limit=50')
  const made = new Map<string, { options?: object }>(
    json.docs.map(({ payload }: { payload: { output_format: string } }) => [payload.output_format, payload]),
  )
  assert.deepEqual([...made.keys()].sort(), ['jpg', 'pdf', 'webp'])
  assert.deepEqual(made.get('jpg')?.options, { quality: 40 })
  assert.equal(made.get('webp')?.options, undefined, 'settings of one pair are not those of another')

  await page.getByRole('button', { name: 'Preview one.jpg' }).click()
  const edge = page.getByRole('slider', { name: /Share of the picture/ })
  await edge.press('ArrowRight')
  assert.equal(await edge.inputValue(), '51')
  const decoded = await page
    .getByAltText('Preview of one.jpg')
    .evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth)
  assert.equal(decoded, 120)
  await page.keyboard.press('Escape')

  const jpg = await downloaded(page, 'Download one.jpg')
  assert.equal(jpg.suggestedFilename(), 'one.jpg')
  assert.deepEqual([...(await bytesOf(jpg)).subarray(0, 3)], [0xff, 0xd8, 0xff])
  assert.match((await bytesOf(await downloaded(page, 'Download notes.pdf'))).toString('latin1'), /^%PDF-/)
  const [zip] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download all as ZIP' }).click(),
  ])
  const entries = zipEntries(await bytesOf(zip))
  assert.deepEqual(entries.map(({ name }) => name).sort(), ['notes.pdf', 'one.jpg', 'two.webp'])
  assert.deepEqual(entries.find(({ name }) => name === 'one.jpg')?.bytes, await bytesOf(jpg))
  assert.deepEqual(problems, [])
})

test('what a file is called is shown and nothing more', async () => {
  const { page, problems } = await visit()
  const name = '<img src=x onerror="window.harm=1"><b>bold.png'
  await choose(page, [file(name)])
  await page.getByText(name, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Convert 1 file' }).click()
  await done(page, 1)
  await page.getByRole('button', { name: /^Preview/ }).click()
  await page.getByRole('dialog').getByText(name).waitFor()
  assert.equal(await page.locator('img[src="x"]').count(), 0)
  assert.equal(await page.evaluate(() => 'harm' in window), false)
  assert.deepEqual(problems, [])
})

test('a file that is not what it says fails with a reason, and others do not mind', async () => {
  const { page } = await visit()
  await choose(page, [file('broken.png', Buffer.from('no picture')), file('good.png')])
  await page.getByRole('button', { name: 'Convert 2 files' }).click()
  await page.getByRole('status').getByText('1 of 2 done · 1 failed').waitFor()
  assert.ok((await page.getByRole('alert').innerText()).length > 10, 'it says why')
  await page.getByRole('button', { name: 'Try again: broken.png' }).waitFor()
  await page.getByRole('button', { name: 'Remove broken.png from the list' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Try again: broken.png' }).waitFor()
})

test('a guest converts without an account, fifty files are one guest, and few uploads run at once', async () => {
  const { page, problems } = await visit({ key: null })
  let [now, most, guests] = [0, 0, 0]
  page.on('request', (request) => {
    if (request.url().includes('/session/guest')) guests++
    if (request.url().includes('/v1/upload/')) most = Math.max(most, ++now)
  })
  page.on('requestfinished', (request) => request.url().includes('/v1/upload/') && now--)
  await choose(
    page,
    Array.from({ length: 50 }, (_, n) => file(`picture-${n}.png`)),
  )
  await page.getByRole('button', { name: 'Convert 50 files' }).click()
  assert.ok((await page.getByRole('listitem').count()) < 30, 'only what is in sight is drawn')
  await page
    .getByRole('status')
    .getByText(/^([89]|\d\d) of 50 done/)
    .waitFor()
  await page.getByRole('button', { name: 'Stop all' }).click()
  await page.getByRole('button', { name: /^Convert \d+ files/ }).waitFor()
  assert.equal(guests, 1)
  assert.ok(most >= 1 && most <= 3, `${most} at once`)
  assert.deepEqual(problems, [])
})

test('a big file goes in pieces, and goes on where it was when the connection broke off', async () => {
  const { page } = await visit()
  const sent: string[] = []
  await page.route('**/v1/resumable/**', async (route) => {
    const method = route.request().method()
    sent.push(method)
    // The second piece does not arrive.
    if (method === 'PATCH' && sent.filter((each) => each === 'PATCH').length === 2) await route.abort('connectionreset')
    else await route.continue()
  })
  await page.getByRole('heading', { name: 'Drop files to convert' }).waitFor()
  const drop = await page.evaluateHandle(() => {
    const silence = new Uint8Array(17_000_044)
    const head = new DataView(silence.buffer)
    const words = { 0: 'RIFF', 8: 'WAVEfmt ', 36: 'data' }
    for (const [at, word] of Object.entries(words)) silence.set(new TextEncoder().encode(word), Number(at))
    for (const [at, value] of [
      [4, 17_000_036],
      [16, 16],
      [24, 48_000],
      [28, 192_000],
      [40, 17_000_000],
    ] as const)
      head.setUint32(at, value, true)
    for (const [at, value] of [
      [20, 1],
      [22, 2],
      [32, 4],
      [34, 16],
    ] as const)
      head.setUint16(at, value, true)
    const data = new DataTransfer()
    data.items.add(new File([silence], 'long silence.wav', { type: 'audio/wav' }))
    return data
  })
  await page.dispatchEvent('body', 'drop', { dataTransfer: drop })
  await page.getByRole('button', { name: 'Convert 1 file' }).click()
  await done(page, 1)
  assert.deepEqual(sent, ['POST', 'PATCH', 'PATCH', 'HEAD', 'PATCH', 'PATCH'])
})

test('Compress reaches the size that was set', async () => {
  const { page } = await visit({ at: '#/compress' })
  const photo = await picture('jpeg', 900, 700)
  await choose(page, [file('photo.jpg', photo, 'image/jpeg')])
  await page.getByRole('textbox', { name: 'Largest size (KB)' }).fill('8')
  await page.getByRole('button', { name: 'Compress 1 file' }).click()
  await done(page, 1)
  const small = await bytesOf(await downloaded(page, 'Download photo.jpg'))
  assert.ok(small.length <= 8_000, `${small.length} bytes`)
})

for (const scheme of ['light', 'dark'] as const)
  test(`people who cannot see or use no mouse find no fault, ${scheme}`, async () => {
    const { page, problems } = await visit({ scheme })
    await page.getByRole('heading', { name: 'Drop files to convert' }).waitFor()
    if (scheme === 'light') assert.deepEqual(await seriousFaults(page), [], 'empty')
    await choose(page, [file('a.png'), file('b.md', Buffer.from('# B'))])
    await page.getByRole('button', { name: /^More settings/ }).click()
    assert.deepEqual(await seriousFaults(page), [], 'with files and settings')
    await page.getByRole('button', { name: 'As code' }).click()
    await page.getByRole('dialog').getByText('curl -sS').waitFor()
    if (scheme === 'dark') assert.deepEqual(await seriousFaults(page), [], 'as code')
    assert.deepEqual(problems, [])
  })
