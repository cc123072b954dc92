/** reforge convert: files into another format. */
import { type Command, readOptions } from '../command.ts'
import { runFiles } from '../run-files.ts'
import { convertTargets } from '../targets.ts'

export const convert: Command = {
  usage:
    'reforge convert photo.png photo.jpg\n       reforge convert *.png --to jpg [--option quality=80] [--output folder]',
  summary: 'Convert files to another format.',
  takes: ['to', 'option', 'output', 'force'],
  async run(context) {
    const { to, targets } = convertTargets(context.names, context.values)
    const options = readOptions(context.values.option)
    const reforge = await context.reforge()
    return runFiles(context, targets, {
      word: 'converting',
      run: (file, { exact, expected }, how) =>
        reforge.convert(file, { to, options, ...(exact && { filename: expected }), ...how }),
    })
  },
}
