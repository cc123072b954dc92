/** How the pdf-lib worker is kept warm. */
import type { ResidentKind } from '../../catalog/engine.ts'
import { nodeResident } from '../resident/node.ts'

const MB = 2 ** 20

/** What the worker imports of ours. */
const PARTS = [
  ...['bookmarks', 'boxes', 'crop', 'exif', 'jpeg', 'lines', 'mend', 'picture', 'pixels', 'place', 'png', 'told'],
  'trouble',
]

export const pdfLibWorker: ResidentKind = nodeResident({
  id: 'pdf-lib',
  files: ['pdf-lib/worker', 'resident/inside', ...PARTS.map((name) => `pdf-lib/${name}`)],
  module: '@cantoo/pdf-lib',
  recycleAfter: 500,
  timeout: 120_000,
  limits: { memory: 2048 * MB, addressSpace: null, processes: 64, file: 4096 * MB, tmp: 16 * MB },
})
