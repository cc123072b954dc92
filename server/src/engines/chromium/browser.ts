/**
 * Starts the browser inside the box and opens pages in it, each in a context of its own that is forgotten afterwards. It
 * runs in the box only and may use nothing but Node and the files bound beside it.
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
  close(): Promise<void>
}

export interface Browser {
  /** Asks for a page and resolves when that is said; `page` is there once the browser has started a process for it. */
  open(): Promise<{ page: Promise<Page> }>
  kill(): void
}

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

  async function attach(targetId: string, browserContextId: string): Promise<Page> {
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true })
    const session = browser.session(sessionId)
    session.on('Page.javascriptDialogOpening', () => {
      session.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {})
    })
    const { promise: crashed, reject } = Promise.withResolvers<never>()
    crashed.catch(() => {})
    session.on('Inspector.targetCrashed', () => reject(new Trouble('crashed', 'the process of the page died')))
    const [{ frameTree }] = await Promise.all([
      session.send('Page.getFrameTree'),
      session.send('Page.enable'),
      session.send('Inspector.enable'),
      browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId, eventsEnabled: true }),
    ])
    return {
      ...session,
      frame: frameTree.frame.id,
      crashed,
      async close() {
        browser.forget(sessionId)
        await browser.send('Target.disposeBrowserContext', { browserContextId })
      },
    }
  }

  async function open(): Promise<{ page: Promise<Page> }> {
    const { browserContextId } = await browser.send('Target.createBrowserContext', { disposeOnDetach: true })
    const target = browser.send('Target.createTarget', { url: 'about:blank', browserContextId })
    const page = target.then(({ targetId }) => attach(targetId, browserContextId))
    // Whoever takes the page is told; until then nobody need hear of it.
    page.catch(() => {})
    return { page }
  }

  return { open, kill: () => void child.kill('SIGKILL') }
}
