/** docs/cli.md, derived from the declarations. */
import type { Command, Commands } from './command.ts'
import { COMMON, type Flag, specOf, written } from './flags.ts'
import { exitRows, usage } from './help.ts'
import { VARIABLES } from './variables.ts'

/** A bar would end the cell, also inside code. */
const cell = (text: string): string => text.replace(/\|/g, '\\|')

function table(head: readonly [string, string], rows: readonly (readonly [string, string])[]): string {
  const lines = rows.map(([name, what]) => `| \`${cell(name)}\` | ${cell(what)} |`)
  return [`| ${head.join(' | ')} |`, '|---|---|', ...lines].join('\n')
}

const flagRow = (flag: Flag): [string, string] => {
  const { short, help } = specOf(flag)
  return [`${short ? `-${short}, ` : ''}${written(flag)}`, help]
}

function ofCommand(path: string, command: Command, depth: number): string[] {
  const { summary, about = [], flags = [], examples, verbs = {} } = command
  const width = Math.max(...examples.map(([line]) => line.length))
  return [
    `${'#'.repeat(depth)} ${path}`,
    `\`${usage(path, command)}\``,
    summary,
    ...about,
    `\`\`\`sh\n${examples.map(([line, what]) => `${line.padEnd(width)}   # ${what}`).join('\n')}\n\`\`\``,
    ...(flags.length ? [table(['option', 'meaning'], flags.map(flagRow))] : []),
    ...Object.entries(verbs).flatMap(([name, verb]) => ofCommand(`${path} ${name}`, verb, depth + 1)),
  ]
}

export function cliPage(commands: Commands): string {
  const parts = [
    '# Command line',
    'All commands of `reforge`. This page, `--help`, the manual page (`reforge help --man`) and the completion of shells come from one declaration of each command.',
    ...Object.entries(commands).flatMap(([name, command]) => ofCommand(name, command, 2)),
    '## Options of every command',
    table(['option', 'meaning'], [...COMMON, 'version' as const].map(flagRow)),
    '## Environment',
    table(['variable', 'meaning'], Object.entries(VARIABLES)),
    '## Exit codes',
    table(['code', 'meaning'], exitRows()),
  ]
  return `${parts.join('\n\n')}\n`
}
