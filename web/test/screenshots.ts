/**
 * Pictures of every page, light and dark, on a desk and on a phone, into docs/images/. Run by hand after the looks have
 * changed: `node web/test/screenshots.ts`, or with the names of pages for those alone. Needs a built dashboard.
 */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { startServer, type TestServer } from '../../server/test/support/server.ts'
import { ACCOUNT_SCENES } from './support/account-scenes.ts'
import { openBrowser, visit } from './support/browser.ts'
import { CONVERT_SCENES } from './support/convert-scenes.ts'
import { TOOL_SCENES } from './support/tool-scenes.ts'
import { WORK_SCENES } from './support/work-scenes.ts'

interface Scene {
  name: string
  at: string
  /** Brings the server into the state to show; may be called more than once. */
  seed?: (server: TestServer) => Promise<void>
  /** Brings the page into the state to show. */
  prepare?: (page: Page) => Promise<void>
}

const SCENES: readonly Scene[] = [...CONVERT_SCENES, ...TOOL_SCENES, ...WORK_SCENES, ...ACCOUNT_SCENES]

const folder = join(import.meta.dirname, '../../docs/images')
const wanted = process.argv.slice(2)

async function main(): Promise<void> {
  await mkdir(folder, { recursive: true })
  await using server = await startServer({ env: { REFORGE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8' } })
  await using browser = await openBrowser()
  for (const { name, at, seed, prepare } of SCENES) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    await seed?.(server)
    for (const scheme of ['light', 'dark'] as const)
      for (const narrow of [false, true]) {
        const { page, context } = await visit(browser, server, { scheme, narrow, at, key: server.key })
        await page.getByRole('heading', { level: 1 }).waitFor()
        await prepare?.(page)
        const shot = await page.screenshot()
        // A palette is enough for a page, and a third of the bytes.
        await sharp(shot)
          .png({ palette: true, quality: 95 })
          .toFile(join(folder, `${name}-${scheme}${narrow ? '-phone' : ''}.png`))
        await context.close()
      }
  }
}

await main()
