/** reforge merge: several files into one. */
import { readOptions } from '../arguments.ts'
import type { Command } from '../command.ts'
import { runFiles } from '../run-files.ts'
import { mergeTarget } from '../targets.ts'
import { FILES } from './working.ts'

export const merge: Command = {
  summary: 'Put files together into one, in their order.',
  about: ['Folders count as the files in them, in the order of their names.'],
  takes: FILES,
  flags: ['to', 'option', 'engine', 'output', 'output-dir', 'force'],
  examples: [
    ['reforge merge cover.pdf report.pdf --output all.pdf', 'two documents'],
    ['reforge merge scan-*.png --to pdf', 'pictures to the pages of merged.pdf'],
  ],
  async run(context) {
    const { to, target } = mergeTarget(context.names, context.values)
    const { engine } = context.values
    const settings = { ...(engine && { engine }), options: readOptions(context.values) }
    return runFiles(context, [target], {
      word: 'merging',
      run: (reforge, inputs, { expected }, how) =>
        reforge.merge(inputs, { to, ...settings, filename: expected, ...how }),
    })
  },
}
