/**
 * A short moving picture of a conversion, docs/images/convert.webp, for the README: files are chosen, converted, looked at.
 * Run by hand after the looks have changed: `node web/test/moving-picture.ts`. Needs a built dashboard.
 */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { startServer } from '../../server/test/support/server.ts'
import { openBrowser, visit } from './support/browser.ts'
import { scenery } from './support/scenery.ts'

const TARGET = join(import.meta.dirname, '../../docs/images/convert.webp')
const WIDTH = 960
const EVERY = 150

/** What is shown, and for how long nothing changes after it. */
async function act(page: Page, rest: (ms: number) => Promise<void>): Promise<void> {
  await rest(900)
  const pictures = await Promise.all([0, 1, 2].map((number) => scenery(number)))
  const names = ['evening-hills.png', 'northern-lake.png', 'desert-dusk.png']
  const files = names.map((name, index) => ({
    name,
    mimeType: 'image/png',
    buffer: pictures[index] ?? Buffer.alloc(0),
  }))
  await page.getByLabel('Choose files').setInputFiles(files)
  await rest(1200)
  await page.getByRole('button', { name: 'Target format of evening-hills.png' }).click()
  await rest(700)
  await page.getByRole('textbox', { name: 'Search formats' }).fill('avif')
  await rest(700)
  await page.keyboard.press('Enter')
  await rest(600)
  await page.getByRole('button', { name: 'Convert 3 files' }).click()
  await page.getByRole('status').getByText('3 of 3 done').waitFor()
  await rest(1200)
  await page.getByRole('button', { name: 'Preview northern-lake.jpg' }).click()
  await rest(900)
  const edge = page.getByRole('slider', { name: /Share of the picture/ })
  for (let step = 0; step < 8; step++) {
    await edge.press('PageUp')
    await rest(150)
  }
  await rest(900)
}

async function main(): Promise<void> {
  await using server = await startServer({ env: { REFORGE_WARM: '1' } })
  await using browser = await openBrowser()
  const { page } = await visit(browser, server, { scheme: 'light', narrow: false, at: '#/', key: server.key })
  await page.getByRole('heading', { level: 1 }).waitFor()
  const frames: Buffer[] = []
  const times: number[] = []
  let filming = true
  const film = (async () => {
    while (filming) {
      times.push(Date.now())
      frames.push(
        await sharp(await page.screenshot())
          .resize(WIDTH)
          .png()
          .toBuffer(),
      )
      await new Promise((resolve) => setTimeout(resolve, EVERY))
    }
  })()
  await act(page, (ms) => new Promise((resolve) => setTimeout(resolve, ms)))
  filming = false
  await film
  times.push(Date.now())
  await sharp(frames, { join: { animated: true } })
    .webp({
      delay: frames.map((_, index) => (times[index + 1] ?? 0) - (times[index] ?? 0)),
      loop: 0,
      quality: 80,
      effort: 4,
    })
    .toFile(TARGET)
}

await main()
