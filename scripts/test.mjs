/**
 * `npm test`: the checks, then every test. With arguments only the test files whose path contains one of them, and no
 * checks: `npm test -- store`. Ends by itself when the tests do not. `--whole` leaves out nothing that takes long, such as
 * pairs of formats of which a few stand for the others: `npm run matrix`.
 */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { foreground } from './process.mjs'

const root = dirname(import.meta.dirname)
const isWhole = process.argv.includes('--whole')
const filters = process.argv.slice(2).filter((argument) => argument !== '--whole')
// For tests that hang, not for those that take their time: a machine that others use as well may need twice the usual.
const MINUTES = Number(process.env.TEST_MINUTES ?? (isWhole ? 180 : 45))

function files() {
  const patterns = ['{server,sdk,cli,web,scripts}/**/*.test.ts']
  const all = globSync(patterns, { cwd: root, exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name) }).sort()
  return filters.length === 0 ? all : all.filter((path) => filters.some((filter) => path.includes(filter)))
}

/** @param {readonly string[]} paths */
function runTests(paths) {
  const options = [
    '--test',
    // Most tests wait for processes half of their time; one more than there are cores fills the gaps.
    `--test-concurrency=${availableParallelism() + 1}`,
    `--test-timeout=${isWhole ? 7_200_000 : 240_000}`,
    '--import=./scripts/test-guard.mjs',
    '--test-reporter=./scripts/reporter.mjs',
    '--test-reporter-destination=stdout',
    '--disable-warning=ExperimentalWarning',
  ]
  return guarded(process.execPath, [...options, ...paths])
}

/**
 * Runs in a process group of its own, so that the guard ends the tests together with what they started.
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
function guarded(command, args) {
  const env = { ...process.env, ...(isWhole && { REFORGE_TEST_WHOLE: '1' }) }
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', detached: true, env })
  /** @param {NodeJS.Signals} signal */
  const kill = (signal) => {
    try {
      process.kill(-(child.pid ?? 0), signal)
    } catch {
      // Ended in the meantime.
    }
  }
  const guard = setTimeout(() => {
    console.error(`The tests did not end within ${MINUTES} minutes.`)
    kill('SIGKILL')
  }, MINUTES * 60_000)
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => kill(signal))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(guard)
      resolve(code ?? 1)
    })
  })
}

async function main() {
  const paths = files()
  if (paths.length === 0) throw new Error('No test file matches.')
  // A failed check does not keep the tests from telling what they know.
  const checked = filters.length > 0 ? 0 : await foreground(process.execPath, ['scripts/check.mjs'], { cwd: root })
  const tested = await runTests(paths)
  if (checked !== 0) console.error('The checks failed: see above.')
  return tested || checked
}

try {
  process.exit(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
