/** Step: a Node that can run us. Brings one into `.tools` where the machine's is older. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { npm } from './npm.mjs'
import { NODE } from './packages.mjs'
import { quietly } from './process.mjs'

/** @param {string} version */
function suffices(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = NODE.least
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}

/** @param {string} root */
function brought(root) {
  const wanted = process.platform === 'linux' ? NODE.packages[process.arch] : undefined
  if (!wanted) return null
  const dir = join(root, '.tools/node_modules', wanted.name)
  return { ...wanted, dir, bin: join(dir, 'bin/node') }
}

/**
 * Path of the Node to run everything with; it exists once the step is done.
 * @param {string} root
 */
export function nodePath(root) {
  return suffices(process.version) ? process.execPath : (brought(root)?.bin ?? process.execPath)
}

/**
 * The environment in which `node`, and whatever calls it, is that Node. What it has compiled once it keeps: most of a start
 * is reading TypeScript.
 * @param {string} root
 */
export function environment(root) {
  const PATH = `${dirname(nodePath(root))}:${process.env.PATH ?? ''}`
  return { NODE_COMPILE_CACHE: join(root, '.tools/compiled'), ...process.env, PATH }
}

/** @type {import('./setup.mjs').Step} */
export const nodeStep = {
  name: `Node ${NODE.least[0]}`,
  missing({ root }) {
    if (suffices(process.version)) return false
    const tool = brought(root)
    if (!tool || !existsSync(tool.bin)) return true
    return JSON.parse(readFileSync(join(tool.dir, 'package.json'), 'utf8')).version !== tool.version
  },
  async bring({ root }) {
    const tool = brought(root)
    const least = NODE.least.join('.')
    if (!tool) throw new Error(`There is no Node ${least} to fetch for this machine. Install it and try again.`)
    const tools = join(root, '.tools')
    const install = ['install', '--prefix', tools, '--no-save', '--no-package-lock', `${tool.name}@${tool.version}`]
    const result = await npm(process.execPath, install, { cwd: root, env: process.env })
    if (result.code !== 0) throw new Error(`npm could not bring ${tool.name}.\n${result.output}`)
    const version = await quietly(tool.bin, ['--version'])
    if (version.code === 0) return tool.version
    throw new Error(`The Node fetched does not run here. Install Node ${least} and try again.\n${version.output}`)
  },
}
