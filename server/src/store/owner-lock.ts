/** One process owns a data folder. The lock names the process and when it began, so that a dead owner's lock is void. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Process id and its start time: ids are used again, the pair is not. */
function stamp(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return null
  }
}

/** Answers a function that gives the folder back. Throws when another living process has it. */
export function ownFolder(dir: string): () => void {
  const path = join(dir, 'owner.lock')
  const mine = stamp(process.pid) ?? String(process.pid)
  for (let tries = 0; ; tries++) {
    try {
      writeFileSync(path, mine, { flag: 'wx', mode: 0o600 })
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || tries > 2) throw error
    }
    const owner = readFileSync(path, 'utf8')
    const pid = Number.parseInt(owner, 10)
    if (owner && stamp(pid) === owner)
      throw new Error(
        `Another Reforge (process ${pid}) already serves ${dir}. Stop it, or set REFORGE_DATA to another folder.`,
      )
    rmSync(path, { force: true })
  }
}
