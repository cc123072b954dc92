/** Step: the dashboard's build, when its sources changed. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './npm.mjs'
import { environment, nodePath } from './setup-node.mjs'

const SKIPPED = new Set(['node_modules', 'dist'])

/** @param {string} root */
const stampPath = (root) => join(root, 'web/dist/.built-from')

/** @param {string} root */
function hasBuild(root) {
  const manifest = join(root, 'web/package.json')
  return existsSync(manifest) && Boolean(JSON.parse(readFileSync(manifest, 'utf8')).scripts?.build)
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} dir
 */
function addTree(hash, dir) {
  if (!existsSync(dir)) return
  const entries = readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (SKIPPED.has(entry.name)) continue
    const path = join(dir, entry.name)
    if (entry.isDirectory()) addTree(hash, path)
    else if (entry.isFile()) hash.update(`\n${path}\n`).update(readFileSync(path))
  }
}

/** @param {string} root */
function fingerprint(root) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  addTree(hash, join(root, 'web'))
  addTree(hash, join(root, 'sdk/src'))
  return hash.digest('hex')
}

/** @type {import('./setup.mjs').Step} */
export const webStep = {
  name: 'dashboard',
  missing({ root }) {
    if (!hasBuild(root)) return false
    return !existsSync(stampPath(root)) || readFileSync(stampPath(root), 'utf8') !== fingerprint(root)
  },
  async bring({ root }) {
    const before = fingerprint(root)
    const build = ['run', 'build', '--workspace', 'web']
    const result = await npm(nodePath(root), build, { cwd: root, env: environment(root) })
    if (result.code !== 0) throw new Error(`The dashboard could not be built.\n${result.output}`)
    mkdirSync(join(root, 'web/dist'), { recursive: true })
    writeFileSync(stampPath(root), before)
    return ''
  },
}
