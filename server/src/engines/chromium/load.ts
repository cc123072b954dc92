/**
 * Brings a file's bytes into a page, inside the box. The page gets nothing else: every request but the one for itself is
 * refused here, and the box has no network in any case.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ORIGIN, type Page } from './browser.ts'
import type { Plan } from './plan.ts'
import { evaluate, settle } from './scripts.ts'
import { Trouble, within } from './trouble.ts'

const ADDRESS = `${ORIGIN}/`

const DECLARED = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)|<meta[^>]{0,200}charset|<\?xml[^>]{0,100}encoding/i

/** A page that does not say how it is written is taken for UTF-8 when it can be that; a browser would guess by country. */
function contentType(source: 'html' | 'xhtml', bytes: Buffer): string {
  const type = source === 'xhtml' ? 'application/xhtml+xml' : 'text/html'
  if (DECLARED.test(bytes.toString('latin1', 0, 2048))) return type
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return `${type}; charset=utf-8`
  } catch {
    return type
  }
}

interface Closed {
  /** Goes to the address, and nowhere else. False when the page wanted to leave before it had loaded. */
  go(limit: number): Promise<boolean>
}

interface Loading {
  page: Page
  bytes: Buffer
  /** Milliseconds. */
  limit: number
  /** What must be in force before the page is gone to. */
  set: Promise<unknown>
}

/** From here on the page gets what `serve` answers for `address`, and nothing else whatever it asks for. */
async function closeOff(
  { page, set }: Loading,
  address: string,
  serve: (requestId: string) => Promise<unknown>,
): Promise<Closed> {
  let expected = false
  let leaves = (): void => {}
  page.on('Fetch.requestPaused', ({ requestId, request, resourceType, frameId }) => {
    const main = resourceType === 'Document' && frameId === page.frame
    const own = main && expected && request.url === address
    if (own) expected = false
    else if (main) leaves()
    // Told that it was aborted, a page stays; for any other reason an error would be shown in its place.
    const errorReason = main ? 'Aborted' : 'BlockedByClient'
    const answer = own ? serve(requestId) : page.send('Fetch.failRequest', { requestId, errorReason })
    answer.catch(() => {})
  })
  await Promise.all([page.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }), set])

  async function go(limit: number): Promise<boolean> {
    expected = true
    const left = new Promise<false>((resolve) => {
      leaves = () => resolve(false)
    })
    const loaded = page.once('Page.loadEventFired').then(() => true)
    const endless = (): Trouble => new Trouble('endless', 'no load event', { seconds: limit / 1000 })
    const gone = await within(limit, page.send('Page.navigate', { url: address }), endless)
    if (gone.errorText || gone.isDownload) throw new Trouble('not-a-page', gone.errorText ?? 'it would be downloaded')
    return within(limit, Promise.race([loaded, left]), endless)
  }
  return { go }
}

async function loadText(loading: Loading, source: 'html' | 'xhtml'): Promise<void> {
  const { page, bytes, limit } = loading
  let type = contentType(source, bytes)
  const closed = await closeOff(loading, ADDRESS, (requestId) =>
    page.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: 'content-type', value: type }],
      body: bytes.toString('base64'),
    }),
  )
  const stayed = await closed.go(limit)
  if (source === 'xhtml' && (await evaluate(page, `document.querySelector('parsererror') !== null`))) {
    // Browsers show an error for what is not well-formed; whoever sent it wants to see the page.
    type = contentType('html', bytes)
    await closed.go(limit)
    return
  }
  if (stayed) return
  // A script that leads elsewhere cuts the page off where it stands. There is no elsewhere here: the page, then, as written.
  await page.send('Emulation.setScriptExecutionDisabled', { value: true })
  await closed.go(limit)
}

/** Browsers open such archives as files only. Scripts in them do not run, and what they lack is not fetched. */
async function loadArchive(loading: Loading): Promise<void> {
  const { page, bytes, limit } = loading
  const folder = await mkdtemp(join(tmpdir(), 'page-'))
  try {
    const file = join(folder, 'page.mhtml')
    await writeFile(file, bytes)
    const { href } = pathToFileURL(file)
    const closed = await closeOff(loading, href, (requestId) => page.send('Fetch.continueRequest', { requestId }))
    await closed.go(limit)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The page as it is to be shown, ready. */
export async function prepare(page: Page, plan: Plan, bytes: Buffer): Promise<void> {
  const { viewport, media, javascript, delay, hideCookie } = plan
  const set = Promise.all([
    page.send('Emulation.setDeviceMetricsOverride', {
      width: viewport.width,
      height: viewport.height,
      deviceScaleFactor: viewport.scale,
      mobile: false,
    }),
    page.send('Emulation.setEmulatedMedia', { media }),
    ...(javascript ? [] : [page.send('Emulation.setScriptExecutionDisabled', { value: true })]),
  ])
  set.catch(() => {})
  const loading = { page, bytes, limit: plan.within, set }
  await (plan.source === 'mhtml' ? loadArchive(loading) : loadText(loading, plan.source))
  await settle(page, { delay, hideCookie })
}
