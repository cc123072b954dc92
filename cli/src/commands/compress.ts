/** reforge compress: the same format, fewer bytes. */
import { type Command, readOptions } from '../command.ts'
import { runFiles } from '../run-files.ts'
import { compressTargets } from '../targets.ts'

export const compress: Command = {
  usage: 'reforge compress *.jpg [--option quality=60] [--output folder]',
  summary: 'Make files smaller; photo.jpg becomes photo-compressed.jpg.',
  takes: ['option', 'output', 'force'],
  async run(context) {
    const targets = compressTargets(context.names, context.values)
    const options = readOptions(context.values.option)
    const reforge = await context.reforge()
    return runFiles(context, targets, {
      word: 'compressing',
      run: (file, { expected }, how) => reforge.compress(file, { options, filename: expected, ...how }),
    })
  },
}
