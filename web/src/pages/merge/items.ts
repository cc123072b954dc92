/** The files to merge, in their order: what each brings along, and the tasks that say so. Pure. */
import type { OptionDescriptor, TaskDefinition } from '@reforge/sdk'
import { effectiveValues } from '../../settings/conditions.ts'
import type { Settings } from '../../settings/settings-form.tsx'
import type { Recipe } from '../../tools/run.ts'
import type { Subject } from '../../tools/subject.ts'

export type Turn = 0 | 90 | 180 | 270

export interface Item {
  readonly subject: Subject
  readonly turn: Turn
  /** Which pages of it, as people write them; empty for all. */
  readonly pages: string
}

export const itemOf = (subject: Subject): Item => ({ subject, turn: 0, pages: '' })

const TURNS: readonly Turn[] = [0, 90, 180, 270]
export const turned = (turn: Turn): Turn => TURNS[(TURNS.indexOf(turn) + 1) % TURNS.length] ?? 0

export const isPages = (text: string): boolean => /^(\s*(\d+(\s*-\s*\d*)?|all)\s*(,|$))*$/.test(text)

/** "Pages of each file in turn, with semicolons between the files", `all` for those that say nothing. */
export function pagesOf(items: readonly Item[]): string | undefined {
  const pages = items.map((item) => item.pages.replaceAll(/\s/g, '').replace(/,$/, '') || 'all')
  return pages.every((each) => each === 'all') ? undefined : pages.join(';')
}

/** A merge turns nothing: what is turned becomes so before, without loss where its format allows it. */
function turning({ subject: { format }, turn }: Item, input: string): TaskDefinition {
  if (format === 'pdf')
    return { operation: 'convert', input, output_format: 'pdf', options: { pdf_rotate: String(turn) } }
  if (format === 'gif') return { operation: 'convert', input, output_format: 'gif', options: { image_rotate: turn } }
  if (format === 'jpg')
    return { operation: 'convert', input, output_format: 'jpg', options: { image_rotate: turn, quality: 95 } }
  return { operation: 'convert', input, output_format: 'png', options: { image_rotate: turn } }
}

export function recipeOf(
  items: readonly Item[],
  target: string,
  { values, engine }: Settings,
  descriptor: OptionDescriptor | undefined,
): Recipe {
  const pages = descriptor?.options.some(({ name }) => name === 'merge_pages') ? pagesOf(items) : undefined
  const options = {
    ...effectiveValues(descriptor?.options ?? [], values),
    ...(pages !== undefined && { merge_pages: pages }),
  }
  return (inputs) => {
    const turns = items.flatMap((item, at): [string, TaskDefinition][] =>
      item.turn === 0 ? [] : [[`turn-${at + 1}`, turning(item, inputs[at] ?? '')]],
    )
    return {
      more: Object.fromEntries(turns),
      task: {
        operation: 'merge',
        input: items.map(({ turn }, at) => (turn === 0 ? (inputs[at] ?? '') : `turn-${at + 1}`)),
        output_format: target,
        ...(engine !== undefined && { engine }),
        ...(Object.keys(options).length > 0 && { options }),
      },
    }
  }
}
