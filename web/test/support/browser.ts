/** A real Chromium (Debian's) on a real server, with what every page must be free of: errors and broken policy. */
import { type Browser, type BrowserContext, type ConsoleMessage, chromium, type Page } from 'playwright-core'
import type { TestServer } from '../../../server/test/support/server.ts'

const PROGRAM = process.env.CHROMIUM ?? '/usr/lib/chromium/chromium-headless-shell'

export interface Visit {
  page: Page
  context: BrowserContext
  /** Errors that the browser reported: of scripts, of the policy, of what could not be loaded. */
  problems: string[]
}

/** What is given up may have ended just then: the server says so, and the browser writes down every 409. */
const isOverAlready = (message: ConsoleMessage): boolean =>
  message.text().includes('status of 409') && message.location().url.endsWith('/cancel')

export interface VisitOptions {
  scheme?: 'light' | 'dark'
  /** Of a phone. */
  narrow?: boolean
  /** Signed in with this key. */
  key?: string
  at?: string
}

/** Taken as good at once. An error that is ignored later makes Chromium ask again, on a busy machine until it gives up. */
const ANY_CERTIFICATE = '--ignore-certificate-errors'

export const openBrowser = (): Promise<Browser> =>
  // The tests run as root in containers, where Chromium's own sandbox does not start.
  chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox', '--disable-dev-shm-usage', ANY_CERTIFICATE] })

export async function visit(
  browser: Browser,
  server: Pick<TestServer, 'url'>,
  options: VisitOptions = {},
): Promise<Visit> {
  const { scheme = 'light', narrow = false, key, at = '#/' } = options
  const context = await browser.newContext({
    acceptDownloads: true,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    viewport: narrow ? { width: 390, height: 844 } : { width: 1280, height: 860 },
    ...(narrow && { isMobile: true, hasTouch: true, deviceScaleFactor: 2 }),
  })
  if (key) await context.addInitScript((value) => sessionStorage.setItem('reforge-key', value), key)
  // On a machine that others use as well, what is to come may take its time.
  context.setDefaultTimeout(90_000)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message))
  page.on('console', (message) => {
    const isProblem = message.type() === 'error' || message.type() === 'warning'
    if (isProblem && !isOverAlready(message)) problems.push(message.text())
  })
  await page.goto(`${server.url}/${at}`)
  return { page, context, problems }
}
