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
/** Starting a process takes longer than all the rest; and whoever took one over could keep no more than its user's files. */
const ONE_PROCESS = '--renderer-process-limit=1'
/** The process may be kept busy by the page before. */
const READY_WITHIN = 3000

let starts = 0
let browser = start()
let page = await browser.open()

function start() {
  starts += 1
  return startBrowser(program, join(tmpdir(), `profile-${starts}`), [...NOWHERE, ONE_PROCESS])
}

async function restart(): Promise<Page> {
  browser.kill()
  browser = start()
  return browser.open()
}

const slow = (limit: number): Trouble => new Trouble('too-slow', 'not ready', { seconds: limit / 1000 })

/** The next page, while nobody waits for it. */
async function turnOver(): Promise<void> {
  page = await within(READY_WITHIN, browser.open(), () => slow(READY_WITHIN)).catch(restart)
}

/** It may have died while it had nothing to do. */
async function readyPage(): Promise<Page> {
  const lives = Promise.race([page.send('Page.getFrameTree'), page.crashed])
  return within(READY_WITHIN, lives, () => slow(READY_WITHIN)).then(() => page, restart)
}

async function shown(plan: Plan, bytes: Buffer): Promise<Buffer> {
  const ready = await readyPage()
  await Promise.race([prepare(ready, plan, bytes), ready.crashed])
  return within(SHOW_WITHIN, Promise.race([show(ready, plan), ready.crashed]), () => slow(SHOW_WITHIN))
}

/** Only a browser whose page did as it was told is asked again: whatever hangs or dies goes with all it holds. */
async function recover(code: ProblemCode): Promise<void> {
  if (SPOILT.has(code)) page = await restart()
  else await turnOver()
}

await serve(async (question, [bytes]): Promise<Reply> => {
  try {
    const body = await shown(question as Plan, bytes ?? Buffer.alloc(0))
    return { answer: { done: true }, body, afterwards: turnOver }
  } catch (error) {
    const problem = problemOf(error)
    return { answer: { ...problem }, afterwards: () => recover(problem.problem) }
  }
})
