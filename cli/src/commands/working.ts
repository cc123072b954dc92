/** What the commands that work on files have in common. */
import { readOptions } from '../arguments.ts'
import type { Argument, Command } from '../command.ts'
import { fitting } from '../fitting.ts'
import type { Flag, Values } from '../flags.ts'
import { runFiles } from '../run-files.ts'
import { besideTargets, formatOf } from '../targets.ts'

export const FILES: readonly Argument[] = [{ name: 'FILE', word: 'file', many: true, completes: 'file' }]

/** What goes to the task as it is. */
export function settled({ from, engine }: Values): { input_format?: string; engine?: string } {
  const input_format = formatOf(from)
  return { ...(input_format && { input_format }), ...(engine && { engine }) }
}

interface Work extends Pick<Command, 'summary' | 'about' | 'examples'> {
  does: 'compress' | 'crop' | 'trim'
  /** `photo-cropped.jpg` */
  suffix: string
  word: string
  flags: readonly Flag[]
}

/** A command that makes another file of the same kind, beside the original. */
export const beside = ({ does, suffix, word, flags, ...declared }: Work): Command => ({
  ...declared,
  takes: FILES,
  flags: [...flags, 'to', 'from', 'option', 'engine', 'output', 'output-dir', 'force'],
  async run(context) {
    const targets = besideTargets(context.names, suffix, context.values)
    const to = formatOf(context.values.to)
    const settings = { ...settled(context.values), options: readOptions(context.values) }
    return runFiles(context, await fitting(context, does, to, targets), {
      word,
      run: (reforge, [file = ''], { expected, toStdout }, how) =>
        reforge[does](file, {
          ...settings,
          ...(to && { output_format: to }),
          ...(!toStdout && { filename: expected }),
          ...how,
        }),
    })
  },
})
