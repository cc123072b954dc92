/** What a box may use when its caller says nothing, and the same limits as `prlimit` takes them. Pure. */
import type { Limits } from '../ports/sandbox.ts'

const MB = 2 ** 20
const GB = 2 ** 30

export const RUN_LIMITS: Limits = {
  wall: 90_000,
  cpu: 60,
  memory: 2 * GB,
  addressSpace: 4 * GB,
  file: GB,
  disk: 2 * GB,
  processes: 128,
  output: MB,
  tmp: 256 * MB,
}

/** A program that stays may run and talk for ever; what it holds is limited as for others. */
export const RESIDENT_LIMITS: Limits = { ...RUN_LIMITS, wall: Infinity, cpu: Infinity, output: Infinity }

export const OPEN_FILES = 1024

export interface ResourceLimit {
  name: 'as' | 'core' | 'cpu' | 'fsize' | 'nofile' | 'nproc'
  soft: number
  hard: number
}

/** `others` are the processes that count against the same user though they are not in the box. */
export function resourceLimits(limits: Limits, others = 0): readonly ResourceLimit[] {
  const cpu = Math.max(1, Math.ceil(limits.cpu))
  const same = (name: ResourceLimit['name'], value: number): ResourceLimit => ({ name, soft: value, hard: value })
  return [
    // SIGXCPU at the limit tells the reason; a program that catches it gets a second more.
    { name: 'cpu', soft: cpu, hard: cpu + 1 },
    same('as', limits.addressSpace ?? Infinity),
    same('fsize', limits.file),
    same('nproc', limits.processes + others),
    same('nofile', OPEN_FILES),
    same('core', 0),
  ]
}

/** `prlimit`, to be followed by the command it limits. */
export function prlimit(limits: Limits, others = 0): [string, ...string[]] {
  const text = (value: number): string => (Number.isFinite(value) ? String(Math.floor(value)) : 'unlimited')
  const flags = resourceLimits(limits, others).map(({ name, soft, hard }) => `--${name}=${text(soft)}:${text(hard)}`)
  return ['/usr/bin/prlimit', ...flags, '--']
}
