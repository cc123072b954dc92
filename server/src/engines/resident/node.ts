/** How a worker in Node is kept warm: a process in a box that sees itself, its packages and nothing else. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ResidentKind } from '../../catalog/engine.ts'
import type { Limits } from '../../ports/sandbox.ts'

export interface NodeWorker {
  id: string
  /** The program and what it imports of ours, by their paths in `engines/` without the ending; the program first. */
  files: readonly [string, ...string[]]
  /** The package it needs. */
  module: string
  recycleAfter: number
  timeout: number
  limits: Partial<Limits>
}

const here = (file: string): string => fileURLToPath(import.meta.resolve(`../${file}`))

/** The folder that holds a package and what it needs, wherever npm has put it. */
function modules(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.resolve(name)))
  while (!folder.endsWith('/node_modules') || folder.includes(`/node_modules/${name}/`)) folder = dirname(folder)
  return folder
}

export const nodeResident = ({ id, files, module, recycleAfter, timeout, limits }: NodeWorker): ResidentKind => ({
  id,
  recycleAfter,
  timeout,
  spec: {
    command: (at) => ['/opt/node/bin/node', '--no-warnings', at(`/opt/reforge/engines/${files[0]}.ts`)],
    readOnly: {
      '/opt/node/bin/node': process.execPath,
      // It says that our files are modules, so that Node need not find out.
      '/opt/reforge/package.json': here('../../package.json'),
      '/opt/reforge/node_modules': modules(module),
      ...Object.fromEntries(files.map((file) => [join('/opt/reforge/engines', `${file}.ts`), here(`${file}.ts`)])),
    },
    // One heap for all threads of the library gives memory back sooner.
    env: { MALLOC_ARENA_MAX: '2' },
    limits,
  },
})
