/** What the parts of the sharp engine, and engines that have it do a step, are given. */
import type { ResidentKind, Work } from '../../catalog/engine.ts'
import type { JsonObject } from '../../core/task.ts'
import type { Wishes } from './wishes.ts'

/** A Work with any of our options. Merging asks with several inputs, as residents allow. */
export type Job = Omit<Work, 'options' | 'ask'> & {
  options: Wishes
  ask(
    kind: ResidentKind,
    question: JsonObject,
    input: string | readonly string[] | null,
    output: string | null,
  ): Promise<JsonObject>
}
