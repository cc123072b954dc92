/** What axe finds wrong for people who cannot see or use a mouse; only what is serious counts. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** What the colours decide; all else is the same in the dark. */
export const OF_COLOURS = ['color-contrast', 'link-in-text-block']

export async function seriousFaults(page: Page, rules?: string[]): Promise<string[]> {
  // What frames show is not ours: one pass in the page itself sees all that is.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    )
}
