/** Merge, Crop and Trim with something on them, for the pictures of the dashboard. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { samplePdf } from '../../../server/test/support/sample-pdf.ts'
import { put } from './tools.ts'

const run = promisify(execFile)

const made = async (source: string, format: readonly string[]): Promise<Buffer> => {
  const args = ['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', source, ...format, 'pipe:1']
  return (await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 2 ** 26 })).stdout
}
const picture = (seed: number, size: string): Promise<Buffer> =>
  made(`gradients=s=${size}:n=4:seed=${seed}:d=1`, ['-frames:v', '1', '-c:v', 'mjpeg', '-q:v', '2', '-f', 'image2pipe'])
/** Loud and quiet as if somebody spoke. */
const speech = (): Promise<Buffer> =>
  made('aevalsrc=(0.15+0.8*abs(sin(1.9*t)*sin(0.7*t)*sin(5.3*t)))*(random(0)*2-1):d=42:s=16000', ['-f', 'wav'])
const letter = (text: string): Buffer => samplePdf({ pages: [{ text, width: 595, height: 842 }] })

async function merge(page: Page): Promise<void> {
  await put(page, [
    { name: 'cover.jpg', bytes: await picture(3, '800x1100') },
    { name: 'contract.pdf', bytes: letter('Contract') },
    { name: 'site plan.jpg', bytes: await picture(8, '1200x800') },
    { name: 'invoice 2026-11.pdf', bytes: letter('Invoice') },
    { name: 'receipt.jpg', bytes: await picture(12, '900x900') },
  ])
  await page.getByText('5 files ·').waitFor()
  await page.waitForFunction(() => document.querySelectorAll('li img').length >= 5)
}

async function crop(page: Page): Promise<void> {
  await put(page, [{ name: 'evening.jpg', bytes: await picture(8, '1500x1000') }])
  await page.getByText('16:9', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Width' }).fill('1180')
  await page.getByText('Uploading').waitFor({ state: 'detached' })
}

async function trim(page: Page): Promise<void> {
  await put(page, [{ name: 'interview.wav', bytes: await speech() }])
  await page.getByRole('textbox', { name: 'Start of part 1' }).fill('4')
  await page.getByRole('textbox', { name: 'End of part 1' }).fill('15.5')
  await page.getByRole('button', { name: 'Add a part' }).click()
  await page.locator('svg path[d^="M0.2"]').waitFor()
  await page.getByText('Uploading').waitFor({ state: 'detached' })
}

export const TOOL_SCENES = [
  { name: 'merge', at: '#/merge', prepare: merge },
  { name: 'crop', at: '#/crop', prepare: crop },
  { name: 'trim', at: '#/trim', prepare: trim },
]
