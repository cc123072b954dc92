/**
 * Brings what is missing, and only that. When nothing is missing it reads a few files and starts no program. Speaks on
 * standard error only: standard output belongs to the command that follows. Must work on Node 18.
 */
import { join } from 'node:path'
import { locked } from './lock.mjs'
import { debianStep } from './setup-debian.mjs'
import { nativeStep } from './setup-native.mjs'
import { nodeStep } from './setup-node.mjs'
import { packagesStep } from './setup-npm.mjs'
import { webStep } from './setup-web.mjs'

/**
 * @typedef {object} Context
 * @property {string} root
 * @property {readonly string[]} groups Debian packages of which groups
 *
 * @typedef {object} Step
 * @property {string} name
 * @property {(context: Context) => boolean} missing quick, and starts nothing
 * @property {(context: Context) => Promise<string>} bring answers a note or ''; throws when going on makes no sense
 *
 * @typedef {'tools' | 'run' | 'test'} Depth
 */

/** @type {Record<Depth, { steps: readonly Step[], groups: readonly string[] }>} */
const DEPTHS = {
  /** Enough to check and format. */
  tools: { steps: [nodeStep, packagesStep], groups: [] },
  run: { steps: [nodeStep, packagesStep, debianStep, nativeStep, webStep], groups: ['run'] },
  test: { steps: [nodeStep, packagesStep, debianStep, nativeStep, webStep], groups: ['run', 'test'] },
}

/** @param {string} text */
const say = (text) => process.stderr.write(text)

/**
 * @param {Step} step
 * @param {Context} context
 */
async function perform(step, context) {
  const started = Date.now()
  say(`· ${step.name} … `)
  const dots = setInterval(say, 3000, '.')
  try {
    const note = await step.bring(context)
    const seconds = ((Date.now() - started) / 1000).toFixed(1)
    // A step that could not do its work says so; what is still missing is not ok.
    if (step.missing(context)) say(`${note}\n`)
    else say(`ok (${[note, `${seconds} s`].filter(Boolean).join(', ')})\n`)
  } catch (error) {
    say('failed\n')
    throw error
  } finally {
    clearInterval(dots)
  }
}

/**
 * @param {string} root
 * @param {Depth} depth
 * @param {{ aloud?: boolean }} manner aloud: name also what is already there
 */
export async function setup(root, depth, { aloud = false } = {}) {
  const { steps, groups } = DEPTHS[depth]
  const context = { root, groups }
  const ready = () => steps.every((step) => !step.missing(context))
  if (ready()) {
    if (aloud) for (const step of steps) say(`· ${step.name} … ok\n`)
    return
  }
  const work = async () => {
    for (const step of steps) {
      if (step.missing(context)) await perform(step, context)
      else if (aloud) say(`· ${step.name} … ok\n`)
    }
  }
  await locked(join(root, '.tools/setup.lock'), work, (pid) => say(`· waiting for the setup of process ${pid}\n`))
}
