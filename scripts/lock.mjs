/** One at a time, between processes: a lock file that names its holder. A holder that died holds nothing. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Process id and start time: an id alone may have been given to somebody else since. Empty when there is no such process.
 * @param {number | string} pid
 */
function identity(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${pid} ${startTime}`
  } catch {
    return ''
  }
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** @param {string} holder */
function alive(holder) {
  return holder !== '' && identity(holder.split(' ')[0] ?? '') === holder
}

/**
 * Puts a dead holder's file aside. Somebody else may have done so and locked in the meantime: then theirs goes back.
 * @param {string} path
 * @param {string} dead
 */
function clear(path, dead) {
  const aside = `${path}.${process.pid}.dead`
  try {
    renameSync(path, aside)
    if (read(aside) !== dead) linkSync(aside, path)
  } catch {
    // Gone or replaced already: the next try sees it.
  }
  rmSync(aside, { force: true })
}

/**
 * Runs `work` while holding the lock at `path`; `wait` is called once if somebody else has it.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @param {(holder: string) => void} wait
 * @returns {Promise<T>}
 */
export async function locked(path, work, wait = () => {}) {
  mkdirSync(dirname(path), { recursive: true })
  const mine = `${path}.${process.pid}`
  const me = identity(process.pid)
  writeFileSync(mine, me)
  let told = false
  try {
    // A link appears whole or not at all, so nobody ever reads half a name.
    while (!tryLink(mine, path)) {
      const holder = read(path)
      if (holder !== '' && !alive(holder)) clear(path, holder)
      else {
        if (!told) wait(holder.split(' ')[0] ?? '')
        told = true
        await sleep(100)
      }
    }
  } finally {
    rmSync(mine, { force: true })
  }
  const unlock = () => {
    if (read(path) === me) rmSync(path, { force: true })
  }
  process.once('exit', unlock)
  try {
    return await work()
  } finally {
    process.off('exit', unlock)
    unlock()
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
function tryLink(from, to) {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false
    throw error
  }
}
