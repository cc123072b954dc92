/** What the pictures of Jobs, Builder and API reference show. */
import type { Page } from 'playwright-core'
import { dataUri, picture } from '../../../server/test/support/pictures.ts'
import type { TestServer } from '../../../server/test/support/server.ts'

const NEWSLETTER = 'Newsletter 42'
const text = (words: string): string => dataUri(Buffer.from(words), 'text/markdown')

const single = (filename: string, to: string, tag?: string) => ({
  ...(tag && { tag }),
  tasks: {
    import: { operation: 'import/base64', filename, file: text('# Words\n\nMore of them.') },
    convert: { operation: 'convert', input: 'import', output_format: to },
    export: { operation: 'export/url', input: 'convert' },
  },
})

/** A few jobs of every kind, the one to look at last. */
async function seedJobs(server: TestServer): Promise<void> {
  const cover = dataUri(await picture('png', 480, 320))
  const jobs = [
    single('minutes-may.md', 'pdf', 'Minutes'),
    single('readme.md', 'html'),
    single('scan.png', 'jpg', 'Inbox'),
    single('letter.md', 'docx'),
    {
      tasks: {
        upload: { operation: 'import/upload' },
        convert: { operation: 'convert', input: 'upload', output_format: 'mp4' },
      },
    },
    {
      tag: NEWSLETTER,
      tasks: {
        text: { operation: 'import/base64', filename: 'newsletter.md', file: text('# Spring\n\nWhat is new.') },
        cover: { operation: 'import/base64', filename: 'cover.png', file: cover },
        pages: { operation: 'convert', input: 'text', output_format: 'pdf' },
        front: { operation: 'convert', input: 'cover', output_format: 'pdf' },
        book: { operation: 'merge', input: ['front', 'pages'], output_format: 'pdf' },
        thumbnail: { operation: 'convert', input: 'cover', output_format: 'webp' },
        download: { operation: 'export/url', input: ['book', 'thumbnail'] },
      },
    },
  ]
  for (const job of jobs) {
    const { json, status, text: said } = await server.call('POST', '/v1/process/jobs', job)
    if (status !== 201) throw new Error(said)
    if (!('upload' in job.tasks)) await server.call('GET', `/v1/process/jobs/${json.id}/wait`)
  }
}

async function openNewsletter(page: Page): Promise<void> {
  await page.getByRole('listitem').filter({ hasText: NEWSLETTER }).first().getByRole('link').click()
  await page.getByRole('region', { name: 'Tasks' }).getByText('Done').last().waitFor()
}

async function build(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Merge two uploads into a PDF' }).click()
  const canvas = page.getByRole('region', { name: 'The job as a graph' })
  if ((page.viewportSize()?.width ?? 0) > 800) {
    await canvas.locator('.react-flow__node').filter({ hasText: 'merge' }).click()
    await page.getByRole('region', { name: 'Set up merge' }).getByText('Bookmarks', { exact: true }).waitFor()
  }
  await page.getByText('Ready to run.').waitFor()
}

async function tryCall(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'input_format' }).fill('png')
  await page.getByRole('textbox', { name: 'output_format' }).fill('jpg')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('heading', { name: 'Answer', exact: true }).waitFor()
}

export const WORK_SCENES = [
  {
    name: 'jobs',
    at: '#/jobs',
    seed: seedJobs,
    prepare: (page: Page) => page.getByRole('listitem').filter({ hasText: NEWSLETTER }).first().waitFor(),
  },
  { name: 'job', at: '#/jobs', seed: seedJobs, prepare: openNewsletter },
  { name: 'builder', at: '#/builder', prepare: build },
  { name: 'reference', at: '#/reference/getQueryOptionsConvert', prepare: tryCall },
]
