/** One server and one browser for a test file: `const { server, visit } = await startDashboard()`, ended by itself. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { type StartOptions, startServer } from '../../../server/test/support/server.ts'
import { openBrowser, type Visit, type VisitOptions, visit } from './browser.ts'

export async function startDashboard(options: StartOptions = {}) {
  if (!existsSync(join(import.meta.dirname, '../../dist/index.html')))
    throw new Error('The dashboard is not built: npm run build -w web')
  const [server, browser] = await Promise.all([startServer(options), openBrowser()])
  after(async () => {
    await browser.close()
    await server[Symbol.asyncDispose]()
  })
  return {
    server,
    browser,
    /** Opens a page of its own, signed in with the first key unless `key` is null. */
    visit: ({ key = server.key, ...rest }: Omit<VisitOptions, 'key'> & { key?: string | null } = {}): Promise<Visit> =>
      visit(browser, server, { ...rest, ...(key !== null && { key }) }),
  }
}
