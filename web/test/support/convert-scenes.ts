/** Scenes of Convert and Compress for the screenshots. */
import type { Page } from 'playwright-core'
import { scenery } from './scenery.ts'

const NOTES = '# Minutes of the meeting\n\n- The kiln is lit on Monday.\n- Two hands for the bellows.\n'

async function files() {
  const pictures = await Promise.all([0, 1, 2].map((number) => scenery(number)))
  const names = ['evening-hills.png', 'northern-lake.png', 'desert-dusk.png']
  return [
    ...pictures.map((buffer, index) => ({ name: names[index] ?? 'picture.png', mimeType: 'image/png', buffer })),
    { name: 'minutes.md', mimeType: 'text/markdown', buffer: Buffer.from(NOTES) },
  ]
}

async function add(page: Page, list: Awaited<ReturnType<typeof files>>): Promise<void> {
  await page.getByLabel('Choose files').setInputFiles(list)
  await page.getByRole('button', { name: /^(Convert|Compress) \d/ }).waitFor()
}

async function run(page: Page, list: Awaited<ReturnType<typeof files>>): Promise<void> {
  await add(page, list)
  await page.getByRole('button', { name: /^(Convert|Compress) \d/ }).click()
  await page.getByRole('status').getByText(`${list.length} of ${list.length} done`).waitFor()
  await page.mouse.move(0, 0)
}

export const CONVERT_SCENES = [
  { name: 'convert-start', at: '#/' },
  { name: 'convert', at: '#/', prepare: async (page: Page) => run(page, await files()) },
  {
    name: 'convert-preview',
    at: '#/',
    prepare: async (page: Page) => {
      await run(page, (await files()).slice(0, 1))
      await page.getByRole('button', { name: /^Preview/ }).click()
      await page.getByRole('slider', { name: /Share of the picture/ }).waitFor()
    },
  },
  {
    name: 'convert-code',
    at: '#/',
    prepare: async (page: Page) => {
      await add(page, (await files()).slice(0, 1))
      await page.getByRole('button', { name: 'As code' }).click()
      await page.getByRole('dialog').getByText('curl -sS').waitFor()
    },
  },
  { name: 'compress', at: '#/compress', prepare: async (page: Page) => run(page, (await files()).slice(0, 3)) },
]
