/**
 * Keeps a web page as one archive, by a browser in a box of its own whose only way out is the proxy given. Each page has
 * its own browser: what a visit may spend is counted outside the box, and nothing of a visit is left for the next.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sandbox } from '../../ports/sandbox.ts'
import { nodeBox } from '../resident/node.ts'
import { PROGRAM } from './resident.ts'
import { createTurns } from './turns.ts'
import { readVisited, whyNot } from './verdict.ts'
import type { Visit, Visited, WayOut } from './visit.ts'

export interface SnapshotDeps {
  sandbox: Pick<Sandbox, 'run'>
  wayOut(limits: { bytes: number; requests: number }): Promise<WayOut>
  /** How the refusal of a host that the page redirected to is put, given the host that was asked for. */
  redirected(refusal: Error, host: string): string
  /** Browsers at a time. */
  atOnce: number
}

export interface SnapshotOrder {
  url: string
  viewport: { width: number; height: number }
  /** Seconds. */
  timeout: number
  delay: number
  hideCookie: boolean
  /** A private, empty folder. */
  dir: string
  signal: AbortSignal
  progress(percent: number): void
}

export interface Snapshot {
  /** Of the archive, in the folder. */
  name: string
  title: string
  url: string
  incomplete: boolean
}

const MB = 2 ** 20
const ALLOWED = { bytes: 100 * MB, requests: 2000 }
const KEPT = 'page.mhtml'
const SOCKET = '/run/out'

const PARTS = ['banners', 'browser', 'cdp', 'forward', 'freeze', 'scripts', 'traffic', 'trouble'] as const

const box = nodeBox({
  files: ['chromium/visitor', ...PARTS.map((name) => `chromium/${name}`)],
  args: (at) => [PROGRAM, at(SOCKET), 'visit.json', KEPT],
  profile: 'browser',
  limits: {
    memory: 2048 * MB,
    addressSpace: null,
    processes: 1000,
    file: 512 * MB,
    disk: 1024 * MB,
    tmp: 512 * MB,
    cpu: 120,
  },
})

export function createSnapshots({ sandbox, wayOut, redirected, atOnce }: SnapshotDeps) {
  const turns = createTurns(atOnce)

  async function visit(order: SnapshotOrder): Promise<Snapshot> {
    const { dir, signal, timeout, delay, hideCookie, viewport, url } = order
    const question: Visit = { url, viewport, within: timeout * 1000, delay, hideCookie, requests: ALLOWED.requests }
    await writeFile(join(dir, 'visit.json'), JSON.stringify(question), { mode: 0o600 })
    const out = await wayOut(ALLOWED)
    const told = { ...out, redirected, allowed: ALLOWED }
    try {
      const readOnly = { ...box.readOnly, [SOCKET]: out.socket }
      const limits = { ...box.limits, wall: timeout * 1000 + delay + 90_000 }
      const onOutput = (text: string): void => {
        for (const [, percent] of text.matchAll(/"percent":(\d{1,2})\}/g)) order.progress(Number(percent))
      }
      const result = await sandbox.run({ ...box, readOnly, limits, work: dir }, { signal, onOutput })
      signal.throwIfAborted()
      if (result.ended === 'wall' || result.ended === 'cpu') throw whyNot({ outcome: 'endless', url }, order, told)
      const visited: Visited | null = result.ended === 'memory' ? { outcome: 'crashed' } : readVisited(result.stdout)
      if (visited?.outcome !== 'page' || out.spent()) throw whyNot(visited, order, told)
      return { name: KEPT, title: visited.title, url: visited.url, incomplete: visited.incomplete }
    } finally {
      await out.close()
    }
  }

  return async function snapshot(order: SnapshotOrder): Promise<Snapshot> {
    const done = await turns.take(order.signal)
    try {
      return await visit(order)
    } finally {
      done()
    }
  }
}
