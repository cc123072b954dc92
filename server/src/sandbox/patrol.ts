/**
 * Looks at the running boxes again and again and stops those that use more than they may: CPU of all their processes,
 * memory where the kernel does not limit it, bytes on disk.
 */
import { stat } from 'node:fs/promises'
import { deletedButOpen, diskUse } from './disk-use.ts'
import type { LiveBox } from './live-box.ts'
import { family, heldMemory, type ProcessTable, readProcessTable, rowOf } from './process-table.ts'

export interface Patrol {
  add(box: LiveBox): void
}

const EVERY = 200
/** Of boxes that cannot do much harm in that time: the kernel watches their memory, and they have nowhere to write. */
const CALM_EVERY = 5

export function createPatrol(): Patrol {
  const boxes = new Set<LiveBox>()
  const measuring = new Set<LiveBox>()
  let timer: NodeJS.Timeout | undefined
  let looks = 0

  function look(): void {
    looks += 1
    const due = [...boxes].filter((box) => looks % CALM_EVERY === 0 || !isCalm(box))
    if (due.length === 0) return
    // Of a box with a group the kernel knows who is in it; only for others everybody must be looked at.
    const table = due.some((box) => !box.group) ? readProcessTable() : new Map()
    for (const box of due) {
      const pids = checkProcesses(box, table)
      // A slow disk must not pile up measurements.
      if (measuring.has(box)) continue
      measuring.add(box)
      void checkDisk(box, pids).finally(() => measuring.delete(box))
    }
  }

  return {
    add(box) {
      boxes.add(box)
      timer ??= setInterval(look, EVERY).unref()
      const leave = (): void => {
        boxes.delete(box)
        if (boxes.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
      box.exit.then(leave, leave)
    },
  }
}

const isCalm = ({ group, launch }: LiveBox): boolean =>
  group !== null && launch.folders.length === 0 && launch.tmp === null

function checkProcesses(box: LiveBox, table: ProcessTable): number[] {
  const rows = box.group ? box.group.pids().flatMap((pid) => rowOf(pid) ?? []) : family(table, box.pid)
  const pids = rows.map((row) => row.pid)
  if (rows.reduce((sum, row) => sum + row.cpu, 0) > box.limits.cpu) box.stop('cpu')
  else if (!box.group && memoryOf(pids) > box.limits.memory) box.stop('memory')
  return pids
}

export const memoryOf = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + heldMemory(pid), 0)

async function checkDisk(box: LiveBox, pids: readonly number[]): Promise<void> {
  const { folders, tmp } = box.launch
  if (tmp !== null && (await diskUse([tmp], box.limits.tmp)) > box.limits.tmp) return box.stop('disk')
  const watched = tmp === null ? folders : [...folders, tmp]
  // Nothing it could write to: a resident that is spoken to over its streams.
  if (watched.length === 0) return
  const devices = new Set(
    (await Promise.all(watched.map((path) => stat(path).catch(() => null)))).map((s) => s?.dev ?? -1),
  )
  const kept = await diskUse(folders, box.limits.disk)
  if (kept + (await deletedButOpen(pids, devices)) > box.limits.disk) box.stop('disk')
}
