/** What --help says. Derived from the commands and flags; nothing is spelled twice. */
import { COMMON, type Command, FLAGS, type Flag } from './command.ts'
import { createLook, type Look } from './look.ts'
import { table } from './words.ts'

function flags(names: readonly Flag[]): string {
  const rows = names.map((name) => {
    const flag = FLAGS[name]
    return [`  ${'short' in flag ? `-${flag.short}, ` : '    '}${flag.hint}`, flag.help]
  })
  return table(rows, 3).join('\n')
}

type Described = Pick<Command, 'usage' | 'summary'> & { takes?: readonly Flag[] }

export function helpOf(command: Described, out: NodeJS.WriteStream): string {
  const { takes } = command
  const options = takes ? `\n\n${flags([...takes, ...COMMON])}` : ''
  return `${command.summary}\n\n${createLook(out).faint('Usage:')} ${command.usage}${options}\n`
}

export function help(commands: Readonly<Record<string, Described>>, out: NodeJS.WriteStream): string {
  const look: Look = createLook(out)
  const rows = table(
    Object.entries(commands).map(([name, { summary }]) => [`  ${name}`, summary]),
    3,
  )
  return [
    `${look.accent('reforge')} converts files by a Reforge server.`,
    `${look.faint('Usage:')} reforge convert photo.png photo.jpg\n       reforge convert *.heic --to jpg --output converted`,
    `${look.strong('Commands')}\n${rows.join('\n')}`,
    `${look.strong('Options')}\n${flags(Object.keys(FLAGS) as Flag[])}`,
    `${look.strong('Exit codes')}\n  0 done   1 a conversion failed   2 wrong usage   3 server unreachable or key refused`,
    '',
  ].join('\n\n')
}
