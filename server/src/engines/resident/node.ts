/** How a worker in Node is kept warm: a process in a box that sees itself, its packages and nothing else. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ResidentKind } from '../../catalog/engine.ts'
import type { At, Command, Limits, Profile } from '../../ports/sandbox.ts'

export interface NodeWorker {
  id: string
  /** The program and what it imports of ours, by their paths in `engines/` without the ending; the program first. */
  files: readonly [string, ...string[]]
  /** Given to the program. */
  args?(at: At): readonly string[]
  /** The package it needs. */
  module?: string
  profile?: Profile
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

type Program = Pick<NodeWorker, 'files' | 'args' | 'module' | 'profile' | 'limits'>

/** A box in which a program of ours runs in Node. */
export const nodeBox = ({ files, args = () => [], module, profile, limits }: Program) => ({
  command: (at: At): Command => [
    '/opt/node/bin/node',
    '--no-warnings',
    at(`/opt/reforge/engines/${files[0]}.ts`),
    ...args(at),
  ],
  readOnly: {
    '/opt/node/bin/node': process.execPath,
    // It says that our files are modules, so that Node need not find out.
    '/opt/reforge/package.json': here('../../package.json'),
    ...(module !== undefined && { '/opt/reforge/node_modules': modules(module) }),
    ...Object.fromEntries(files.map((file) => [join('/opt/reforge/engines', `${file}.ts`), here(`${file}.ts`)])),
  },
  // One heap for all threads of the library gives memory back sooner.
  env: { MALLOC_ARENA_MAX: '2' },
  ...(profile && { profile }),
  limits,
})

export const nodeResident = ({ id, recycleAfter, timeout, ...program }: NodeWorker): ResidentKind => ({
  id,
  recycleAfter,
  timeout,
  spec: nodeBox(program),
})
