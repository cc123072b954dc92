/** How the pdf-lib worker is kept warm: a Node process in a box that sees itself, pdf-lib and nothing else. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ResidentKind } from '../catalog/engine.ts'

const MB = 2 ** 20

/** The worker and what it imports of ours. */
const FILES = ['bookmarks', 'crop', 'exif', 'jpeg', 'lines', 'picture', 'pixels', 'place', 'png', 'told', 'trouble']
  .concat('worker')
  .map((name) => `pdf-lib-${name}.ts`)
  .concat('resident-inside.ts')
const here = (file: string): string => fileURLToPath(import.meta.resolve(`./${file}`))

/** The folder that holds pdf-lib and what it needs, wherever npm has put it. */
function modules(): string {
  let folder = dirname(fileURLToPath(import.meta.resolve('@cantoo/pdf-lib')))
  while (!folder.endsWith('/node_modules')) folder = dirname(folder)
  return folder
}

export const pdfLibWorker: ResidentKind = {
  id: 'pdf-lib',
  recycleAfter: 500,
  timeout: 120_000,
  spec: {
    command: (at) => ['/opt/node/bin/node', '--no-warnings', at('/opt/reforge/engines/pdf-lib-worker.ts')],
    readOnly: {
      '/opt/node/bin/node': process.execPath,
      // It says that our files are modules, so that Node need not find out.
      '/opt/reforge/package.json': here('../../package.json'),
      '/opt/reforge/node_modules': modules(),
      ...Object.fromEntries(FILES.map((file) => [join('/opt/reforge/engines', file), here(file)])),
    },
    limits: { memory: 2048 * MB, addressSpace: null, processes: 64, file: 4096 * MB, tmp: 16 * MB },
  },
}
