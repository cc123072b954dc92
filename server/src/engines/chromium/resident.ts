/** How the browser is kept warm: in a box without any network, one for each user. */
import type { ResidentKind } from '../../catalog/engine.ts'
import { nodeResident } from '../resident/node.ts'

const MB = 2 ** 20

/** Smaller and quicker than the whole browser, and made for nothing else. */
export const PROGRAM = '/usr/lib/chromium/chromium-headless-shell'

export const browserWorker: ResidentKind = nodeResident({
  id: 'chromium',
  files: [
    'chromium/worker',
    'resident/inside',
    ...['banners', 'browser', 'cdp', 'load', 'scripts', 'show', 'trouble'].map((name) => `chromium/${name}`),
  ],
  args: () => [PROGRAM],
  profile: 'browser',
  recycleAfter: 50,
  timeout: 180_000,
  // Threads count as processes here, and a browser has many of both.
  limits: { memory: 2048 * MB, addressSpace: null, processes: 1000, file: 1024 * MB, tmp: 512 * MB },
})
