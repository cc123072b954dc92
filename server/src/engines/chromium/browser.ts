/**
 * Starts the browser inside the box and opens pages in it, one at a time: when the next one is there, the last is closed
 * and what it left is forgotten. It runs in the box only and may use nothing but Node and the files bound beside it.
 */
import { spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { connect, type Session } from './cdp.ts'
import { Trouble } from './trouble.ts'

export interface Page extends Session {
  /** Its main frame, wherever it goes. */
  frame: string
  /** Rejects when the process of the page dies. */
  crashed: Promise<never>
}

export interface Browser {
  /** A blank page that finds nothing of those before it, which are gone. */
  open(): Promise<Page>
  kill(): void
}

/** A name that can never exist, so that what a page links to by mistake leads nowhere. */
export const ORIGIN = 'https://page.invalid'

/** What a browser does for its user's comfort, and nobody here has a use for. */
const QUIET = [
  '--headless',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-sync',
  '--metrics-recording-only',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
]

const SHAPE = [
  // The shared memory of a box is small; its /tmp is not.
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--hide-scrollbars',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  // One process a page: frames of other sites are seen, and stopped, where the page is. The box keeps sites apart from us.
  '--disable-site-isolation-trials',
  '--disable-features=IsolateOrigins,site-per-process,Translate,MediaRouter,OptimizationHints,PaintHolding',
  '--remote-debugging-pipe',
]

// Nobody is root in a box. Where the operator has switched the box off, the browser would refuse to start as root.
const UNBOXED = process.getuid?.() === 0 ? ['--no-sandbox'] : []

export function startBrowser(program: string, profile: string, more: readonly string[] = []): Browser {
  const child = spawn(program, [...QUIET, ...SHAPE, ...UNBOXED, `--user-data-dir=${profile}`, ...more, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const [, , , input, output] = child.stdio
  if (!(input instanceof Writable) || !(output instanceof Readable)) throw new Error('a browser without its pipes')
  const browser = connect(output, input)
  child.on('error', () => output.destroy())

  const context = browser
    .send('Target.createBrowserContext', { disposeOnDetach: true })
    .then(async ({ browserContextId }): Promise<string> => {
      await Promise.all([
        browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId, eventsEnabled: true }),
        // So that we hear when one has gone.
        browser.send('Target.setDiscoverTargets', { discover: true }),
      ])
      return browserContextId
    })
  // Whoever opens a page is told.
  context.catch(() => {})
  let last: string | null = null

  async function attach(targetId: string): Promise<Page> {
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true })
    const session = browser.session(sessionId)
    session.on('Page.javascriptDialogOpening', ({ type }) => {
      // One that asks to stay is not let.
      session.send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }).catch(() => {})
    })
    const { promise: crashed, reject } = Promise.withResolvers<never>()
    crashed.catch(() => {})
    session.on('Inspector.targetCrashed', () => reject(new Trouble('crashed', 'the process of the page died')))
    const [{ frameTree }] = await Promise.all([
      session.send('Page.getFrameTree'),
      session.send('Page.enable'),
      session.send('Inspector.enable'),
    ])
    if (last !== null) browser.forget(last)
    last = sessionId
    return { ...session, frame: frameTree.frame.id, crashed }
  }

  /** All pages but one, and the windows they have opened. */
  async function closeOthers(kept: string, browserContextId: string): Promise<void> {
    const { targetInfos } = await browser.send('Target.getTargets')
    const others: { targetId: string }[] = targetInfos.filter(
      (target: { targetId: string; browserContextId: string }) =>
        target.browserContextId === browserContextId && target.targetId !== kept,
    )
    await Promise.all(
      others.map(async ({ targetId }) => {
        const gone = browser.once('Target.targetDestroyed', (target) => target.targetId === targetId)
        // It may be closing already.
        await browser.send('Target.closeTarget', { targetId }).catch(() => {})
        await gone
      }),
    )
  }

  /** All pages have the same address, and would share what is kept for it. */
  const forget = (page: Page, browserContextId: string): Promise<unknown> =>
    Promise.all([
      page.send('Storage.clearDataForOrigin', { origin: ORIGIN, storageTypes: 'all' }),
      browser.send('Storage.clearCookies', { browserContextId }),
    ])

  async function open(): Promise<Page> {
    const browserContextId = await context
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId })
    const page = await attach(targetId)
    await closeOthers(targetId, browserContextId)
    await forget(page, browserContextId)
    return page
  }

  return { open, kill: () => void child.kill('SIGKILL') }
}
