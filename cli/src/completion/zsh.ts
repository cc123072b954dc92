/** Completion for zsh; to be sourced after compinit. */
import type { Commands } from '../command.ts'
import { type Completes, type Flag, specOf } from '../flags.ts'
import { ASK_FORMATS, type Offer, offers, quoted } from './offers.ts'

/** Brackets and colons have a meaning to _arguments. */
const plain = (text: string): string => text.replace(/[\\[\]:]/g, '\\$&')

function action(what: Completes | undefined): string {
  if (what === undefined) return ' '
  if (what === 'format') return '_reforge_formats'
  if (what === 'folder') return '_files -/'
  if (what === 'file') return '_files'
  return `(${what.map(plain).join(' ')})`
}

function flag(name: Flag): string[] {
  const { short, value, multiple, help, completes } = specOf(name)
  const ways = [`--${name}`, ...(short ? [`-${short}`] : [])]
  return ways.map((way) => {
    const argument = value ? `:${plain(value)}:${action(completes)}` : ''
    return quoted(`${multiple ? '*' : `(${ways.join(' ')})`}${way}[${plain(help)}]${argument}`)
  })
}

function ofPath({ path, command, words, flags }: Offer): string {
  const takes = (command?.takes ?? []).map(({ name, many, completes }, index) =>
    quoted(`${many ? '*' : index + 1}:${plain(name)}:${action(completes)}`),
  )
  const described = words.map(([name, summary]) => quoted(`${name}:${summary.replace(/:/g, '\\:')}`))
  const specs = [...flags.flatMap(flag), ...(words.length ? [quoted('1: :_reforge_words')] : takes)]
  return `    ${quoted(path)})
      words_here=(${described.join(' ')})
      _arguments -s ${specs.join(' ')} ;;`
}

export function zshCompletion(commands: Commands): string {
  const all = offers(commands)
  const paths = all.filter(({ path }) => path).map(({ path }) => quoted(path))
  return `#compdef reforge
# zsh completion for reforge. Use it with: source <(reforge completion zsh), after compinit
_reforge_formats() { local -a formats; formats=(\${(f)"$(${ASK_FORMATS})"}); compadd -a formats }
_reforge_words() { _describe command words_here }
_reforge() {
  local curcontext="$curcontext" taken='' next
  local -a words_here
  # The words of the command itself are taken off, so that what follows counts from one.
  while (( CURRENT > 2 )); do
    next="\${taken:+$taken }\${words[2]}"
    case $next in
      ${paths.join('|')}) taken=$next; shift words; (( CURRENT-- )) ;;
      *) break ;;
    esac
  done
  case $taken in
${all.map(ofPath).join('\n')}
  esac
}
compdef _reforge reforge
`
}
