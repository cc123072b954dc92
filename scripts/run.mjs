/**
 * The one entry behind every npm script: brings what is missing, then runs the wanted program with the right Node.
 * Started with whatever Node the machine has, so it must work on Node 18.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { foreground } from './process.mjs'
import { setup } from './setup.mjs'
import { environment, nodePath } from './setup-node.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * What each command needs and what it runs, with which flags of Node; the user's own arguments follow.
 * @type {Record<string, { needs: import('./setup.mjs').Depth, flags?: readonly string[], runs?: readonly string[] }>}
 */
const COMMANDS = {
  start: { needs: 'run', flags: ['--min-semi-space-size=4'], runs: ['server/src/main.ts'] },
  setup: { needs: 'run' },
  test: { needs: 'test', runs: ['scripts/test.mjs'] },
  check: { needs: 'tools', runs: ['scripts/check.mjs'] },
  format: { needs: 'tools', runs: ['node_modules/@biomejs/biome/bin/biome', 'check', '--write'] },
  generate: { needs: 'tools', runs: ['scripts/generate.ts'] },
  bench: { needs: 'run', runs: ['server/bench/main.ts'] },
  matrix: { needs: 'test', runs: ['scripts/test.mjs', '--whole', 'server/src/engines/'] },
  chaos: { needs: 'test', runs: ['server/test/chaos.ts'] },
  cluster: { needs: 'test', runs: ['server/test/cluster.ts'] },
  reforge: { needs: 'run', runs: ['cli/src/main.ts'] },
}

/**
 * @param {string} name
 * @param {readonly string[]} args
 */
async function main(name, args) {
  const command = COMMANDS[name]
  if (!command) throw new Error(`There is no command "${name}". Commands: ${Object.keys(COMMANDS).join(', ')}.`)
  const depth = name === 'setup' && args.includes('--test') ? 'test' : command.needs
  await setup(root, depth, { aloud: name === 'setup' })
  if (!command.runs) return 0

  const [program = '', ...rest] = command.runs
  const path = join(root, program)
  if (!existsSync(path)) throw new Error(`${program} is not there.`)
  // npm goes to the project's folder; a user of the command line means files in their own.
  const cwd = name === 'reforge' ? (process.env.INIT_CWD ?? root) : root
  const flags = command.flags ?? []
  return foreground(nodePath(root), [...flags, path, ...rest, ...args], { cwd, env: environment(root) })
}

try {
  const [name = '', ...args] = process.argv.slice(2)
  process.exitCode = await main(name, args)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
