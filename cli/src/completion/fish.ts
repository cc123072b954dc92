/** Completion for fish. */
import type { Commands } from '../command.ts'
import { type Completes, specOf } from '../flags.ts'
import { ASK_FORMATS, type Offer, offers } from './offers.ts'

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

function value(what: Completes | undefined): string {
  if (what === 'file') return '-rF'
  if (what === 'folder') return `-xa '(__fish_complete_directories)'`
  if (what === 'format') return `-xa ${quoted(`(${ASK_FORMATS})`)}`
  return what === undefined ? '-x' : `-xa ${quoted(what.join(' '))}`
}

function ofPath({ path, command, words, flags }: Offer): string[] {
  const here = `complete -c reforge -n ${quoted(`__reforge_at ${path}`.trim())}`
  const [argument] = command?.takes ?? []
  const completes = words.length === 0 ? argument?.completes : undefined
  return [
    ...words.map(([name, summary]) => `${here} -fa ${quoted(name)} -d ${quoted(summary)}`),
    ...(completes === undefined
      ? []
      : [completes === 'file' ? `${here} -F` : `${here} ${value(completes).replace('-x', '-f')}`]),
    ...flags.map((flag) => {
      const { short, help, value: takes, completes: what } = specOf(flag)
      const ways = `-l ${flag}${short ? ` -s ${short}` : ''}`
      return `${here} ${ways}${takes ? ` ${value(what)}` : ''} -d ${quoted(help)}`
    }),
  ]
}

export function fishCompletion(commands: Commands): string {
  const all = offers(commands)
  const paths = all.filter(({ path }) => path).map(({ path }) => quoted(path))
  return `# fish completion for reforge. Use it with: reforge completion fish | source
function __reforge_path
  set -l path
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and continue
    set -l next (string join ' ' $path $word)
    contains -- $next ${paths.join(' ')}; or continue
    set path (string split ' ' $next)
  end
  string join ' ' $path
end
function __reforge_at
  set -l here (__reforge_path)
  test "$argv" = "$here"
end
complete -c reforge -f
${all.flatMap(ofPath).join('\n')}
`
}
