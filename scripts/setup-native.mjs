/** Step: our small C programs. Without a compiler they are left out; the server says at start what that means. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NATIVE } from './packages.mjs'
import { quietly } from './process.mjs'

/** @param {string} root */
const binDir = (root) => join(root, '.tools/bin')

/**
 * @param {string} root
 * @param {typeof NATIVE[number]} program
 */
function fingerprint(root, program) {
  const hash = createHash('sha256').update(`${process.arch} ${program.flags.join(' ')}`)
  for (const file of [...program.sources, ...(program.headers ?? [])]) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/** @param {string} root */
function outdated(root) {
  return NATIVE.filter((program) => {
    if (!program.sources.every((source) => existsSync(join(root, source)))) return false
    const stamp = join(binDir(root), `${program.name}.sha256`)
    if (!existsSync(join(binDir(root), program.name)) || !existsSync(stamp)) return true
    return readFileSync(stamp, 'utf8') !== fingerprint(root, program)
  })
}

/** @type {import('./setup.mjs').Step} */
export const nativeStep = {
  name: 'native helpers',
  missing({ root }) {
    return outdated(root).length > 0
  },
  async bring({ root }) {
    mkdirSync(binDir(root), { recursive: true })
    const notes = []
    for (const program of outdated(root)) {
      const target = join(binDir(root), program.name)
      const fresh = `${target}.${process.pid}`
      const args = ['-O2', '-Wall', '-o', fresh, ...program.sources, ...program.flags]
      const result = await quietly('cc', args, { cwd: root })
      if (result.code === 127) return 'left out: there is no C compiler (cc)'
      if (result.code !== 0) notes.push(`${program.name} does not compile\n${result.output.trimEnd()}`)
      else {
        // Renamed into place: a running server keeps the old one.
        renameSync(fresh, target)
        writeFileSync(`${target}.sha256`, fingerprint(root, program))
        notes.push(program.name)
      }
    }
    return notes.join(', ')
  },
}
