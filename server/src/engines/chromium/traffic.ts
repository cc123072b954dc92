/** Watches what a page fetches, inside the box: how much is under way, how often it asked, how its own address answered. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from './browser.ts'

export interface Traffic {
  /** The last answer to the page itself. */
  main(): { status: number; url: string } | null
  /** Where the page itself was last asked for. */
  asked(): string
  tooMany(): boolean
  /** Waits until nothing has been under way for a moment, but not for ever. */
  idle(most: number): Promise<void>
}

const QUIET = 500
const LOOK_EVERY = 50

export async function watchTraffic(page: Page, frame: string, url: string, most: number): Promise<Traffic> {
  const under = new Set<string>()
  let main: { status: number; url: string } | null = null
  let asked = url
  let count = 0
  let last = Date.now()
  const end = ({ requestId }: { requestId: string }): void => {
    under.delete(requestId)
    last = Date.now()
  }
  page.on('Network.requestWillBeSent', ({ requestId, request, type, frameId }) => {
    if (request.url.startsWith('data:')) return
    if (type === 'Document' && frameId === frame) asked = request.url
    under.add(requestId)
    last = Date.now()
    count += 1
    if (count > most) page.send('Network.setBlockedURLs', { urls: ['*'] }).catch(() => {})
  })
  page.on('Network.responseReceived', ({ response, type, frameId }) => {
    if (type === 'Document' && frameId === frame) main = { status: response.status, url: response.url }
  })
  page.on('Network.loadingFinished', end)
  page.on('Network.loadingFailed', end)
  await page.send('Network.enable')

  return {
    main: () => main,
    asked: () => asked,
    tooMany: () => count > most,
    async idle(limit) {
      const until = Date.now() + limit
      while (Date.now() < until && (under.size > 0 || Date.now() - last < QUIET)) await sleep(LOOK_EVERY)
    },
  }
}
