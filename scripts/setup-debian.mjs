/** Step: Debian packages. Needs root or a sudo that asks nothing; otherwise it says what to run, and setup goes on. */
import { existsSync, readdirSync } from 'node:fs'
import { DEBIAN } from './packages.mjs'
import { quietly } from './process.mjs'

/** @param {readonly string[]} groups */
const lacking = (groups) => DEBIAN.filter(({ group, proof }) => groups.includes(group) && !existsSync(proof))

/** Words to put before a command so that it runs as root; null when that is not possible without a password. */
async function asRoot() {
  if (process.getuid?.() === 0) return []
  return (await quietly('sudo', ['-n', 'true'])).code === 0 ? ['sudo', '-n'] : null
}

function haveLists() {
  const lists = '/var/lib/apt/lists'
  return existsSync(lists) && readdirSync(lists).some((name) => name.includes('_Packages'))
}

/**
 * @param {readonly string[]} prefix
 * @param {readonly string[]} args
 */
function apt(prefix, args) {
  // sudo drops the environment, so the variable travels as an argument of env.
  const words = [
    ...prefix,
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    '-o',
    'DPkg::Lock::Timeout=600',
    ...args,
  ]
  return quietly(words[0] ?? 'env', words.slice(1))
}

/**
 * Those that this release of Debian or Ubuntu has: a name it lacks would keep apt from installing the others.
 * @param {readonly string[]} names
 */
async function offered(names) {
  const { output } = await quietly('apt-cache', ['show', '--no-all-versions', ...names])
  const known = new Set([...output.matchAll(/^Package: (\S+)$/gm)].map(([, name]) => name))
  return names.filter((name) => known.has(name))
}

/** @type {import('./setup.mjs').Step} */
export const debianStep = {
  name: 'system packages',
  missing({ groups }) {
    return lacking(groups).length > 0
  },
  async bring({ groups }) {
    const names = lacking(groups).map(({ name }) => name)
    const byHand = `apt-get install --no-install-recommends ${names.join(' ')}`
    if (!existsSync('/usr/bin/apt-get'))
      return `not a Debian or Ubuntu machine: install ${names.join(', ')} by its own means`
    const prefix = await asRoot()
    if (!prefix) return `no right to install them. Run: sudo ${byHand}`

    const install = async () => {
      const there = await offered(names)
      const { code, output } = await apt(prefix, ['install', '-y', '--no-install-recommends', ...there])
      return { code, output, without: names.filter((name) => !there.includes(name)) }
    }
    if (!haveLists()) await apt(prefix, ['update'])
    let result = await install()
    if (result.code !== 0 || result.without.length > 0) {
      // Old lists name files the mirror has since replaced, and lack what is new.
      await apt(prefix, ['update'])
      result = await install()
    }
    if (result.code !== 0) return `apt-get failed. Run: ${byHand}\n${result.output.trimEnd()}`
    return result.without.length === 0
      ? names.join(', ')
      : `this release does not have ${result.without.join(', ')}: what needs them is not offered`
  },
}
