/** Who uses the processors: we (this process, the server it started and the server's boxes), or others on this machine. */
import { readFileSync } from 'node:fs'
import { family, readProcessTable } from '../src/sandbox/process-table.ts'

const TICK = 10

const ours = (): number => family(readProcessTable(), process.pid).reduce((sum, { cpu }) => sum + cpu * 1000, 0)

/** user, nice, system, and after idle and waiting: irq, softirq, steal. */
function everybodys(): number {
  const [user = 0, nice = 0, system = 0, , , ...rest] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '')
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return [user, nice, system, ...rest.slice(0, 3)].reduce((sum, ticks) => sum + ticks * TICK, 0)
}

export interface Used {
  /** Milliseconds of processor time. */
  ours: number
  others: number
}

/** Counts from now until asked. */
export function processorTime(): () => Used {
  const before = { ours: ours(), all: everybodys() }
  return () => {
    const own = ours() - before.ours
    return { ours: own, others: Math.max(0, everybodys() - before.all - own) }
  }
}

/** Milliseconds of processor time that processes have used themselves, without those they have started. */
export function usedBy(...pids: readonly number[]): number {
  const own = (pid: number): number => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    return (user + system) * TICK
  }
  return pids.reduce((sum, pid) => sum + own(pid), 0)
}
