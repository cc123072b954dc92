/** How the sharp worker is kept warm. */
import type { ResidentKind } from '../catalog/engine.ts'
import { nodeResident } from './node-resident.ts'

const MB = 2 ** 20

export const sharpWorker: ResidentKind = nodeResident({
  id: 'sharp',
  files: [
    'sharp-worker',
    ...[
      'ladder',
      'resident-inside',
      'sharp-geometry',
      'sharp-likeness',
      'sharp-picture',
      'sharp-pnm',
      'sharp-reach',
      'sharp-read',
    ],
    ...['sharp-roll', 'sharp-shape', 'sharp-write'],
  ],
  module: 'sharp',
  recycleAfter: 500,
  timeout: 120_000,
  limits: { memory: 2048 * MB, addressSpace: null, processes: 64, file: 4096 * MB, tmp: 16 * MB },
})
