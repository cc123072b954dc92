/** Step: the npm packages of the lock file, exactly. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './npm.mjs'
import { environment, nodePath } from './setup-node.mjs'

/** @param {string} root */
const stampPath = (root) => join(root, 'node_modules/.reforge-setup.json')

/** @param {string} root */
function fingerprint(root) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  return JSON.stringify({ lock, platform: `${process.platform}-${process.arch}` })
}

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean, devOptional?: boolean }} Locked
 * @typedef {{ packages: Record<string, Locked> }} LockFile
 */

/**
 * Whether what npm says it installed is what the lock file asks for: somebody ran `npm install` by hand, and installing
 * again would only pull the packages from under whatever is running.
 * @param {LockFile} wanted package-lock.json
 * @param {LockFile} installed node_modules/.package-lock.json
 */
export function agrees(wanted, installed) {
  const have = installed.packages
  const paths = Object.keys(wanted.packages).filter((path) => path !== '')
  const known = new Set(paths)
  if (Object.keys(have).some((path) => !known.has(path))) return false
  return paths.every((path) => {
    const want = wanted.packages[path] ?? {}
    const got = have[path]
    // Builds for other platforms are in the lock and never installed here.
    if (!got) return want.optional === true || want.devOptional === true
    return got.version === want.version && got.integrity === want.integrity && got.link === want.link
  })
}

/** @param {string} root */
function alreadyThere(root) {
  const hidden = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(hidden)) return false
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return agrees(lock, JSON.parse(readFileSync(hidden, 'utf8')))
}

/** @type {import('./setup.mjs').Step} */
export const packagesStep = {
  name: 'npm packages',
  missing({ root }) {
    return !existsSync(stampPath(root)) || readFileSync(stampPath(root), 'utf8') !== fingerprint(root)
  },
  async bring({ root }) {
    const there = alreadyThere(root)
    if (!there) {
      const result = await npm(nodePath(root), ['ci'], { cwd: root, env: environment(root) })
      if (result.code !== 0) throw new Error(`npm ci failed.\n${result.output}`)
    }
    writeFileSync(stampPath(root), fingerprint(root))
    return there ? 'already installed' : ''
  },
}
