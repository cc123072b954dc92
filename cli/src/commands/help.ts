/** reforge help: the same as --help, and the manual page. */
import { choose } from '../arguments.ts'
import type { Command, Commands } from '../command.ts'
import { EXIT } from '../exit.ts'
import { helpOf, help as overview } from '../help.ts'
import { manPage } from '../man.ts'

/** It describes all commands, itself included, so it is given them. */
export const createHelp = (commands: () => Commands): Command => ({
  summary: 'Help, for a command too; or the manual page.',
  takes: [{ name: 'COMMAND', word: 'command', optional: true, many: true }],
  flags: ['man'],
  examples: [
    ['reforge help convert', 'one command'],
    ['reforge help --man | man -l -', 'the manual'],
  ],
  async run({ names, values, out }) {
    const { path, command } = names.length ? choose(commands(), names) : { path: '', command: undefined }
    if (values.man) out.write(manPage(commands()))
    else out.write(command ? helpOf(path, command, out) : overview(commands(), out))
    return EXIT.ok
  },
})
