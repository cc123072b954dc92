/** reforge convert: files into another format. */
import { readOptions } from '../arguments.ts'
import type { Command } from '../command.ts'
import { fitting } from '../fitting.ts'
import { runFiles } from '../run-files.ts'
import { convertTargets } from '../targets.ts'
import { FILES, settled } from './working.ts'

export const convert: Command = {
  summary: 'Convert files to another format.',
  about: [
    'Takes files, folders, addresses, and - for standard input. Of a folder it takes what can become that format, and goes down into the folders in it; hidden files are left alone. Results are put beside their originals unless told otherwise.',
  ],
  takes: FILES,
  flags: ['to', 'from', 'option', 'engine', 'output', 'output-dir', 'force'],
  examples: [
    ['reforge convert photo.png photo.jpg', 'one file'],
    ['reforge convert *.heic --to jpg --option quality=80', 'many, with a setting'],
    ['reforge convert pictures --to webp --output-dir small', 'a folder with all below it'],
    ['cat a.md | reforge convert - --from md --to html > a.html', 'in a pipe'],
  ],
  async run(context) {
    const { to, targets } = convertTargets(context.names, context.values)
    const settings = { ...settled(context.values), options: readOptions(context.values) }
    return runFiles(context, await fitting(context, 'convert', to, targets), {
      word: 'converting',
      run: (reforge, [file = ''], { exact, expected }, how) =>
        reforge.convert(file, { to, ...settings, ...(exact && { filename: expected }), ...how }),
    })
  },
}
