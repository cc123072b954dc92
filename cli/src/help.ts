/** What --help says. Derived from the declarations; nothing is spelled twice. */
import { shape } from './arguments.ts'
import type { Command, Commands } from './command.ts'
import { EXIT, MEANING } from './exit.ts'
import { COMMON, type Flag, specOf, written } from './flags.ts'
import { columns, createLook } from './look.ts'
import { table } from './words.ts'

const WIDEST = 100

/** Text in lines of that width. */
export function fold(text: string, width: number, indent = ''): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width - indent.length) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.map((line) => indent + line).join('\n')
}

export const usage = (path: string, { takes = [] }: Command): string => ['reforge', path, ...takes.map(shape)].join(' ')

function flags(names: readonly Flag[]): string {
  const rows = names.map((name) => {
    const { short, help } = specOf(name)
    return [`  ${short ? `-${short}, ` : '    '}${written(name)}`, help]
  })
  return table(rows, 3).join('\n')
}

const indented = (rows: readonly (readonly string[])[]): string =>
  table(
    rows.map(([first = '', ...rest]) => [`  ${first}`, ...rest]),
    3,
  ).join('\n')

export const exitRows = (): [string, string][] =>
  Object.entries(EXIT).map(([name, code]) => [String(code), MEANING[name as keyof typeof EXIT]])

export function helpOf(path: string, command: Command, out: NodeJS.WriteStream): string {
  const look = createLook(out)
  const width = Math.min(columns(out), WIDEST)
  const { verbs = {}, about = [], examples } = command
  const verbRows = Object.entries(verbs).map(([name, verb]) => [
    [name, ...(verb.takes ?? []).map(shape)].join(' '),
    verb.summary,
  ])
  const parts = [
    command.summary,
    `${look.faint('Usage:')} ${usage(path, command)}${command.flags?.length ? ' [options]' : ''}`,
    ...about.map((paragraph) => fold(paragraph, width)),
    ...(verbRows.length ? [`${look.strong('Commands')}\n${indented(verbRows)}`] : []),
    `${look.strong('Examples')}\n${indented(examples)}`,
    ...(command.flags?.length ? [`${look.strong('Options')}\n${flags(command.flags)}`] : []),
    `${look.strong('Common options')}\n${flags(COMMON)}`,
  ]
  return `${parts.join('\n\n')}\n`
}

export function help(commands: Commands, out: NodeJS.WriteStream): string {
  const look = createLook(out)
  const rows = Object.entries(commands).map(([name, { summary }]) => [name, summary])
  const first = ['convert', 'compress', 'login'].flatMap((name) => commands[name]?.examples.slice(0, 2) ?? [])
  const parts = [
    `${look.accent('reforge')} converts files by a Reforge server.`,
    `${look.faint('Usage:')} reforge COMMAND …`,
    `${look.strong('Commands')}\n${indented(rows)}`,
    `${look.strong('Examples')}\n${indented(first)}`,
    `${look.strong('Options of every command')}\n${flags([...COMMON, 'version'])}`,
    `${look.strong('Exit codes')}\n${indented(exitRows())}`,
    look.faint('reforge help COMMAND   more on one of them'),
  ]
  return `${parts.join('\n\n')}\n`
}
