/**
 * `npm run check`: format, lint, types, imports, dead code and generated files, side by side. A check that passes is one
 * line; one that fails shows all it said. With names as arguments only those run: `npm run check -- types imports`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { quietly } from './process.mjs'

const root = dirname(import.meta.dirname)

/** @param {readonly string[]} args */
const node = (...args) => quietly(process.execPath, args, { cwd: root })

/**
 * Remembers what it found last time: a second run takes a third.
 * @param {string} project
 * @param {string} memory
 */
const types = (project, memory) =>
  node('node_modules/typescript/bin/tsc', '-p', project, '--incremental', '--tsBuildInfoFile', memory)

/**
 * The lock must install from whichever registry a machine uses, so it names none; and on every platform, so it holds the
 * builds for all of them. npm leaves out those the registry of the day does not have, and `npm ci` then fails elsewhere.
 */
async function lockIsWhole() {
  /** @type {{ packages: Record<string, { resolved?: string, optionalDependencies?: Record<string, string> }> }} */
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const names = new Set(Object.keys(packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)))
  const problems = Object.entries(packages).flatMap(([path, { resolved = '', optionalDependencies = {} }]) => [
    ...(/^\w+:/.test(resolved) ? [`${path} names a host`] : []),
    ...Object.keys(optionalDependencies).flatMap((name) => (names.has(name) ? [] : [`${path} lacks ${name}`])),
  ])
  return { code: problems.length === 0 ? 0 : 1, output: problems.join('\n') }
}

/** @type {Record<string, () => Promise<{ code: number, output: string }>>} */
const CHECKS = {
  style: () => node('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'),
  types: () => types('.', '.tools/types.json'),
  // A page has a browser around it: other types, other settings.
  'dashboard types': () => types('web', '.tools/web-types.json'),
  imports: () => node('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', 'server', 'sdk', 'cli', 'web'),
  'dead code': () => node('node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'),
  lock: lockIsWhole,
}
if (existsSync(join(root, 'scripts/generate.ts'))) CHECKS.generated = () => node('scripts/generate.ts', '--check')

/** @param {string} name */
async function run(name) {
  const started = Date.now()
  const check = CHECKS[name]
  if (!check) throw new Error(`There is no check "${name}". Checks: ${Object.keys(CHECKS).join(', ')}.`)
  const { code, output } = await check()
  const seconds = `${((Date.now() - started) / 1000).toFixed(1)} s`
  if (code === 0) console.log(`✔ ${name} (${seconds})`)
  else console.log(`✖ ${name} (${seconds})\n${output.trimEnd()}\n`)
  return code === 0
}

const asked = process.argv.slice(2)
const results = await Promise.all((asked.length > 0 ? asked : Object.keys(CHECKS)).map(run))
process.exitCode = results.every(Boolean) ? 0 : 1
