/**
 * The program that visits a web page: in a box of its own, once, with the proxy's socket as its only way out. It leaves
 * the page as one archive and says in one line how it went. Started by path (see snapshot.ts), never imported.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Page, startBrowser } from './browser.ts'
import { forward } from './forward.ts'
import { freeze, scrollThrough } from './freeze.ts'
import { call, evaluate, settle } from './scripts.ts'
import { type Traffic, watchTraffic } from './traffic.ts'
import { problemOf, Trouble, within } from './trouble.ts'
import type { Visit, Visited } from './visit.ts'

const [, , program = '', socket = '', question = '', kept = ''] = process.argv
/** After the page itself has come: for what belongs to it. */
const PARTS_WITHIN = 15_000
const IDLE_WITHIN = 4000

const say = (told: object): void => void process.stdout.write(`${JSON.stringify(told)}\n`)
const percent = (value: number): void => say({ percent: value })

async function arrive(page: Page, { url, within: limit }: Visit, traffic: Traffic): Promise<Visited | null> {
  let download = false
  page.on('Page.downloadWillBegin', () => {
    download = true
  })
  const slow = (): Trouble => new Trouble('endless', 'the page did not come')
  const arrived = page.once('Page.domContentEventFired')
  try {
    const { errorText, isDownload } = await within(limit, page.send('Page.navigate', { url }), slow)
    if (isDownload || download) return { outcome: 'download', url: traffic.asked() }
    if (errorText) return { outcome: 'unreachable', error: errorText, url: traffic.asked() }
    await within(limit, Promise.race([arrived, page.crashed]), slow)
    return null
  } catch (error) {
    if (download) return { outcome: 'download', url: traffic.asked() }
    if (error instanceof Trouble && error.code === 'endless') return { outcome: 'endless', url: traffic.asked() }
    throw error
  }
}

/** True when something of the page never came. */
async function gather(page: Page, visit: Visit, traffic: Traffic, loaded: Promise<unknown>): Promise<boolean> {
  const late = await within(PARTS_WITHIN, loaded, () => new Trouble('endless', 'parts')).then(
    () => false,
    () => true,
  )
  if (late) await page.send('Page.stopLoading')
  percent(50)
  if (!late) await traffic.idle(IDLE_WITHIN)
  await evaluate(page, call(scrollThrough))
  if (!late) await traffic.idle(IDLE_WITHIN)
  percent(75)
  await settle(page, visit)
  return late
}

async function keep(page: Page): Promise<string> {
  // From here on the page holds still.
  await page.send('Emulation.setScriptExecutionDisabled', { value: true })
  await evaluate(page, call(freeze))
  const title: string = await evaluate(page, 'document.title')
  const { data } = await page.send('Page.captureSnapshot', { format: 'mhtml' })
  await writeFile(kept, data)
  return title
}

async function visitPage(page: Page, visit: Visit): Promise<Visited> {
  const traffic = await watchTraffic(page, page.frame, visit.url, visit.requests)
  page.on('Fetch.requestPaused', ({ requestId }) => {
    page.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }).catch(() => {})
  })
  await Promise.all([
    page.send('Emulation.setDeviceMetricsOverride', { ...visit.viewport, deviceScaleFactor: 1, mobile: false }),
    page.send('Network.setBypassServiceWorker', { bypass: true }),
    // Films and sounds are not kept in an archive; fetching them would only cost.
    page.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Media' }] }),
  ])
  const loaded = page.once('Page.loadEventFired')
  const stopped = await arrive(page, visit, traffic)
  if (stopped) return stopped
  const first = traffic.main()
  if (first && first.status >= 400) return { outcome: 'status', ...first }
  percent(25)
  const incomplete = await gather(page, visit, traffic, loaded)
  // A page may have led elsewhere since, by a script or a refresh; what could not be reached shows as a page of the browser's.
  const { frame } = (await page.send('Page.getFrameTree')).frameTree
  if (frame.unreachableUrl) return { outcome: 'unreachable', error: 'led elsewhere', url: frame.unreachableUrl }
  const main = traffic.main()
  if (main && main.status >= 400) return { outcome: 'status', ...main }
  if (traffic.tooMany()) return { outcome: 'requests' }
  const title = await keep(page)
  return { outcome: 'page', title: title.slice(0, 500), url: main?.url ?? visit.url, incomplete }
}

const port = await forward(socket)
const browser = startBrowser(program, join(tmpdir(), 'profile'), [
  `--proxy-server=http://127.0.0.1:${port}`,
  // Loopback too: inside the box there is nobody, and outside the proxy decides.
  '--proxy-bypass-list=<-loopback>',
  '--disable-quic',
])
try {
  const visit: Visit = JSON.parse(await readFile(question, 'utf8'))
  const page = await browser.open()
  say(await Promise.race([visitPage(page, visit), page.crashed]))
} catch (error) {
  const { problem, detail } = problemOf(error)
  say(problem === 'crashed' ? { outcome: problem } : { outcome: 'failed', detail })
}
browser.kill()
process.exit(0)
