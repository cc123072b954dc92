/**
 * The program in the box: keeps a browser warm and answers plans with what it shows. It is started by path (see
 * resident.ts), never imported by the server, and may use nothing but Node and the files bound beside it.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Reply, serve } from '../resident/inside.ts'
import { type Page, startBrowser } from './browser.ts'
import { prepare } from './load.ts'
import type { Plan, ProblemCode } from './plan.ts'
import { show } from './show.ts'
import { problemOf, Trouble, within } from './trouble.ts'

const [, , program = ''] = process.argv
const SHOW_WITHIN = 60_000

/** After these nobody knows what the browser still does. */
const SPOILT = new Set<ProblemCode>(['endless', 'too-slow', 'crashed', 'failed'])

/** There is no network in the box. If there were one, this would lead nowhere either, WebSockets included. */
const NOWHERE = ['--proxy-server=http://127.0.0.1:9', '--proxy-bypass-list=<-loopback>', '--disable-quic']

let starts = 0
let browser = start()
/** A page costs a process; the next one is opened while nobody waits. */
let spare = await browser.open()
await spare.page

function start() {
  starts += 1
  return startBrowser(program, join(tmpdir(), `profile-${starts}`), NOWHERE)
}

async function restart(): Promise<Page> {
  browser.kill()
  browser = start()
  return (await browser.open()).page
}

async function shown(page: Page, plan: Plan, bytes: Buffer): Promise<Buffer> {
  await Promise.race([prepare(page, plan, bytes), page.crashed])
  const slow = (): Trouble => new Trouble('too-slow', 'not shown', { seconds: SHOW_WITHIN / 1000 })
  return within(SHOW_WITHIN, Promise.race([show(page, plan), page.crashed]), slow)
}

/** Only a browser whose page did as it was told is asked again: whatever hangs or dies goes with all it holds. */
async function answer(plan: Plan, bytes: Buffer): Promise<Buffer> {
  // It may have died while it had nothing to do.
  const page = await spare.page.catch(restart)
  try {
    return await shown(page, plan, bytes)
  } catch (error) {
    if (SPOILT.has(problemOf(error).problem)) {
      browser.kill()
      browser = start()
    }
    throw error
  } finally {
    page.close().catch(() => {})
    spare = await browser.open().catch(() => ({ page: Promise.reject(new Error('no browser')) }))
    spare.page.catch(() => {})
  }
}

await serve(async (question, [bytes]): Promise<Reply> => {
  try {
    return { answer: { done: true }, body: await answer(question as Plan, bytes ?? Buffer.alloc(0)) }
  } catch (error) {
    return { answer: { ...problemOf(error) } }
  }
})
