/** The resident kind of echo-worker.ts. */
import { fileURLToPath } from 'node:url'
import type { ResidentKind } from '../../src/catalog/engine.ts'

const here = (file: string): string => fileURLToPath(import.meta.resolve(`../../${file}`))
const FILES = ['package.json', 'src/engines/resident/inside.ts', 'test/support/echo-worker.ts']

export const echo = (traits: Partial<ResidentKind> = {}): ResidentKind => ({
  id: 'echo',
  recycleAfter: 1000,
  timeout: 20_000,
  spec: {
    command: (at) => ['/opt/node/bin/node', '--no-warnings', at('/opt/echo/test/support/echo-worker.ts')],
    readOnly: {
      '/opt/node/bin/node': process.execPath,
      ...Object.fromEntries(FILES.map((file) => [`/opt/echo/${file}`, here(file)])),
    },
    limits: { addressSpace: null, memory: 512 * 2 ** 20, file: 64 * 2 ** 20 },
  },
  ...traits,
})
