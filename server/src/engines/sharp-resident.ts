/** How the sharp worker is kept warm: a Node process in a box that sees itself, sharp and nothing else. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ResidentKind } from '../catalog/engine.ts'

const MB = 2 ** 20

/** The worker and what it imports of ours. */
const FILES = ['resident-inside', 'sharp-geometry', 'sharp-picture', 'sharp-reach', 'sharp-read', 'sharp-roll']
  .concat(['sharp-shape', 'sharp-worker', 'sharp-write'])
  .map((name) => `${name}.ts`)
const here = (file: string): string => fileURLToPath(import.meta.resolve(`./${file}`))

/** The folder that holds sharp and what it needs, wherever npm has put it. */
function modules(): string {
  let folder = dirname(fileURLToPath(import.meta.resolve('sharp')))
  while (!folder.endsWith('/node_modules')) folder = dirname(folder)
  return folder
}

export const sharpWorker: ResidentKind = {
  id: 'sharp',
  recycleAfter: 500,
  timeout: 120_000,
  spec: {
    command: (at) => ['/opt/node/bin/node', '--no-warnings', at('/opt/reforge/engines/sharp-worker.ts')],
    readOnly: {
      '/opt/node/bin/node': process.execPath,
      // It says that our files are modules, so that Node need not find out.
      '/opt/reforge/package.json': here('../../package.json'),
      '/opt/reforge/node_modules': modules(),
      ...Object.fromEntries(FILES.map((file) => [join('/opt/reforge/engines', file), here(file)])),
    },
    // One heap for all threads of the library gives memory back sooner.
    env: { MALLOC_ARENA_MAX: '2' },
    limits: { memory: 2048 * MB, addressSpace: null, processes: 64, file: 4096 * MB, tmp: 16 * MB },
  },
}
