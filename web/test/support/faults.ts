/** What axe finds wrong for people who cannot see or use a mouse; only what is serious counts. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

export async function seriousFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    )
}
