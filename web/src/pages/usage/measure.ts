/** What can be shown of usage, and how its figures read. Pure. */
import type { Usage } from '@reforge/sdk'
import { readableNumber, readableSize } from '../../figures/figures.ts'

export const MEASURES = ['minutes', 'tasks', 'bytes'] as const
export type Measure = (typeof MEASURES)[number]
export type Sums = Usage['total']

export const figureOf = (measure: Measure, { seconds, tasks, bytesOut }: Sums): number =>
  measure === 'minutes' ? seconds / 60 : measure === 'tasks' ? tasks : bytesOut

export const readable = (measure: Measure, value: number): string =>
  measure === 'bytes' ? readableSize(value) : readableNumber(value)

export const NOTHING: Sums = { tasks: 0, failed: 0, seconds: 0, bytesIn: 0, bytesOut: 0 }

export const add = (a: Sums, b: Sums): Sums => ({
  tasks: a.tasks + b.tasks,
  failed: a.failed + b.failed,
  seconds: a.seconds + b.seconds,
  bytesIn: a.bytesIn + b.bytesIn,
  bytesOut: a.bytesOut + b.bytesOut,
})
