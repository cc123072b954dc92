/** Starting programs from scripts: in the foreground for the user, or quietly for setup. Must work on Node 18. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** @type {readonly NodeJS.Signals[]} */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv }} Where */

/**
 * Exit code of a process as a shell would report it.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function exitCode(code, signal) {
  return signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1)
}

/**
 * Passes our signals on while `child` lives. A terminal sends Ctrl-C to the whole foreground group, so the child has
 * that one already; a second would read as "stop at once".
 * @param {import('node:child_process').ChildProcess} child
 */
function forwardSignals(child) {
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => {
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    child.kill(signal)
  }
  for (const signal of FORWARDED) process.on(signal, forward)
  return () => {
    for (const signal of FORWARDED) process.off(signal, forward)
  }
}

/**
 * Runs a program with our own streams and answers its exit code.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Where} where
 * @returns {Promise<number>}
 */
export function foreground(command, args, where = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...where, stdio: 'inherit' })
    const release = forwardSignals(child)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      release()
      resolve(exitCode(code, signal))
    })
  })
}

/**
 * Runs a program without input and keeps what it says. A signal to us ends it, then us.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Where} where
 * @returns {Promise<{ code: number, output: string }>}
 */
export function quietly(command, args, where = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...where, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    /** @type {NodeJS.Signals | null} */
    let stopped = null
    /** @param {NodeJS.Signals} signal */
    const stop = (signal) => {
      stopped = signal
      child.kill(signal)
    }
    for (const signal of FORWARDED) process.on(signal, stop)
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ code: 127, output: error.message }))
    child.on('close', (code, signal) => {
      for (const forwarded of FORWARDED) process.off(forwarded, stop)
      if (stopped) process.exit(exitCode(null, stopped))
      resolve({ code: exitCode(code, signal), output })
    })
  })
}
