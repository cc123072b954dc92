/** What the tests of Merge, Crop and Trim share: files to put in, results to take out, and a look at them. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'

const run = promisify(execFile)

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'reforge-web-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A tone, or a test card with a tone, of so many seconds. */
export const clip = (ext: string, seconds: number, size?: string): Promise<Buffer> =>
  inFolder(async (folder) => {
    const out = join(folder, `out.${ext}`)
    const tone = ['-f', 'lavfi', '-i', `sine=440:d=${seconds}`]
    const card = size ? ['-f', 'lavfi', '-i', `testsrc=s=${size}:d=${seconds}:r=10`] : []
    const sound = ext === 'gif' ? [] : tone
    const how = ext === 'mp4' ? ['-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10'] : []
    await run('ffmpeg', ['-v', 'error', '-nostdin', ...card, ...sound, ...how, out], { timeout: 60_000 })
    return readFile(out)
  })

/** Seconds, and pixels where there is a picture. */
export const measured = (bytes: Buffer): Promise<{ seconds: number; width?: number; height?: number }> =>
  inFolder(async (folder) => {
    const file = join(folder, 'in')
    await writeFile(file, bytes)
    const { stdout } = await run('ffprobe', ['-v', 'error', '-show_format', '-show_streams', '-of', 'json', file])
    const { format, streams } = JSON.parse(stdout)
    const film = streams.find((stream: { codec_type: string }) => stream.codec_type === 'video')
    return { seconds: Number(format.duration), width: film?.width, height: film?.height }
  })

export const plain = (colour: string, width = 60, height = 40): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer()

/** Puts files in as if they had been chosen. */
export const put = (page: Page, files: readonly { name: string; bytes: Buffer }[]): Promise<void> =>
  page
    .locator('input[type=file]')
    .first()
    .setInputFiles(files.map(({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: bytes })))

/** The bytes that a click on Download brings. */
export async function downloaded(page: Page): Promise<Buffer> {
  const link = page.getByRole('region', { name: 'Result' }).getByRole('link', { name: /^Download / })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  return readFile(await download.path())
}

const middle = async (locator: Locator): Promise<{ x: number; y: number }> => {
  const box = await locator.boundingBox()
  if (!box) throw new Error('nothing to take hold of')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Takes hold of something and pulls it, by so much or to the middle of something else. */
export async function drag(page: Page, what: Locator, to: Locator | { x: number; y: number }): Promise<void> {
  await what.scrollIntoViewIfNeeded()
  const from = await middle(what)
  const end = 'x' in to ? { x: from.x + to.x, y: from.y + to.y } : await middle(to)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move((from.x + end.x) / 2, (from.y + end.y) / 2, { steps: 4 })
  await page.mouse.move(end.x, end.y, { steps: 4 })
  await page.mouse.up()
}

/** A name that would be a script if anybody took it for markup. */
export const HOSTILE = '<img src=x onerror="document.title=1">'
