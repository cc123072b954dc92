/**
 * What we do to a page once it is there, inside the box. Our scripts run in a world of their own: they share the page's
 * elements, not its functions, so a page cannot make them lie by changing what `querySelector` does.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { hideBanners } from './banners.ts'
import type { Page } from './browser.ts'
import type { Answer } from './cdp.ts'
import { Trouble, within } from './trouble.ts'
import type { World } from './world.ts'

declare const document: World

const EVALUATE_WITHIN = 20_000

/** The value of an expression, in a world apart. */
export async function evaluate(page: Page, expression: string): Promise<Answer> {
  const work = async (): Promise<Answer> => {
    const { executionContextId } = await page.send('Page.createIsolatedWorld', { frameId: page.frame })
    const { result, exceptionDetails } = await page.send('Runtime.evaluate', {
      expression,
      contextId: executionContextId,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }
  const endless = (): Trouble =>
    new Trouble('endless', `no answer to ${expression.slice(0, 60)}`, { seconds: EVALUATE_WITHIN / 1000 })
  return within(EVALUATE_WITHIN, work(), endless)
}

/** Pictures that wait to be scrolled to would be missing on paper. */
const bringPictures = (): Promise<unknown> => {
  for (const one of document.querySelectorAll('[loading="lazy"]')) one.setAttribute('loading', 'eager')
  const pictures = [...document.images].map((image: World) =>
    image.complete ? null : image.decode().catch(() => null),
  )
  const limit = new Promise((done) => setTimeout(done, 3000))
  return Promise.race([Promise.all([document.fonts.ready, ...pictures]).then(() => true), limit])
}

export const call = (script: () => unknown): string => `(${script})()`

export interface Settling {
  delay: number
  hideCookie: boolean
}

export async function settle(page: Page, { delay, hideCookie }: Settling): Promise<void> {
  if (delay > 0) await sleep(delay)
  await evaluate(page, `${call(bringPictures)}.then(() => null)`)
  if (hideCookie) await evaluate(page, call(hideBanners))
}
