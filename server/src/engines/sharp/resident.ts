/** How the sharp worker is kept warm. */
import type { ResidentKind } from '../../catalog/engine.ts'
import { nodeResident } from '../resident/node.ts'

const MB = 2 ** 20

/** What the worker imports of ours. */
const PARTS = [
  ...['apple-icon', 'bare', 'bare-heif', 'bare-tiff', 'chores', 'drawing', 'drawing-styles', 'drawing-text'],
  ...['geometry', 'glance', 'likeness', 'linear', 'picture', 'pnm', 'reach', 'read', 'roll', 'shape', 'write'],
]

export const sharpWorker: ResidentKind = nodeResident({
  id: 'sharp',
  files: [
    'sharp/worker',
    'resident/inside',
    'kit/ladder',
    'jpegoptim/orientation',
    ...PARTS.map((name) => `sharp/${name}`),
  ],
  module: 'sharp',
  recycleAfter: 2000,
  timeout: 120_000,
  limits: { memory: 2048 * MB, addressSpace: null, processes: 64, file: 4096 * MB, tmp: 16 * MB },
})
