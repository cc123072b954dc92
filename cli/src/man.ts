/** The manual page, in the language of man. Derived from the declarations. */
import packageJson from '../package.json' with { type: 'json' }
import type { Command, Commands } from './command.ts'
import { COMMON, type Flag, specOf, written } from './flags.ts'
import { exitRows, usage } from './help.ts'
import { VARIABLES } from './variables.ts'

/** A dot or an apostrophe at the start of a line is a command to man, and a dash alone would become a hyphen. */
const text = (words: string): string =>
  words
    .replace(/\\/g, '\\e')
    .replace(/-/g, '\\-')
    .replace(/…/g, '...')
    .replace(/^([.'])/gm, '\\&$1')

const bold = (words: string): string => `\\fB${text(words)}\\fR`
const item = (head: string, body: string): string => `.TP\n${head}\n${text(body)}`

function flag(name: Flag): string {
  const { short, help } = specOf(name)
  return item([...(short ? [bold(`-${short}`)] : []), bold(written(name))].join(', '), help)
}

function ofCommand(path: string, command: Command): string {
  const { summary, about = [], flags = [], examples, verbs = {} } = command
  return [
    `.SS ${text(usage(path, command))}`,
    text(summary),
    ...about.flatMap((paragraph) => ['.PP', text(paragraph)]),
    ...flags.map(flag),
    ...examples.map(
      ([line, what]) =>
        `.PP\n${text(`${what[0]?.toUpperCase()}${what.slice(1)}:`)}\n.RS 4\n.nf\n${text(line)}\n.fi\n.RE`,
    ),
    ...Object.entries(verbs).map(([name, verb]) => ofCommand(`${path} ${name}`, verb)),
  ].join('\n')
}

export function manPage(commands: Commands): string {
  const rows = (pairs: Iterable<readonly [string, string]>) => [...pairs].map(([head, body]) => item(bold(head), body))
  return `${[
    `.\\" Generated from the declarations of the commands by npm run generate.`,
    `.TH REFORGE 1 "" "Reforge ${packageJson.version}" "User Commands"`,
    '.SH NAME',
    text('reforge - convert, compress, merge, crop and trim files by a Reforge server'),
    '.SH SYNOPSIS',
    `${bold('reforge')} \\fICOMMAND\\fR [\\fIARGUMENT\\fR...] [\\fIOPTION\\fR...]`,
    '.SH DESCRIPTION',
    text(
      'Sends files to a Reforge server and saves what comes back. In a terminal it shows bars and a summary; in a pipe nothing but results goes to standard output.',
    ),
    '.SH OPTIONS OF EVERY COMMAND',
    ...[...COMMON, 'version' as const].map(flag),
    '.SH COMMANDS',
    ...Object.entries(commands).map(([name, command]) => ofCommand(name, command)),
    '.SH ENVIRONMENT',
    ...rows(Object.entries(VARIABLES)),
    '.SH FILES',
    item(bold('~/.config/reforge/config.json'), 'What reforge login keeps; readable by its owner only.'),
    '.SH EXIT STATUS',
    ...rows(exitRows()),
  ].join('\n')}\n`
}
