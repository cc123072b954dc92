/** What axe finds wrong for people who cannot see or use a mouse; only what is serious counts. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What the colours decide; all else is the same in the dark. */
export const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** Of the page itself: what its frames show is not ours. */
export async function seriousFaults(page: Page, rules?: string[]): Promise<string[]> {
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  // Half a megabyte of it: it stays in the page until that is loaded anew.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (given) => (globalThis as unknown as { axe: typeof axe }).axe.run(given),
    options,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    )
}
