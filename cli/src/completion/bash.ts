/** Completion for bash; it needs nothing beside bash itself. */
import type { Commands } from '../command.ts'
import { type Completes, FLAGS, type Flag, specOf } from '../flags.ts'
import { ASK_FORMATS, offers, quoted } from './offers.ts'

/** A list of colons is one word to us, and three to bash: it completes the part after the last colon. */
const reply = (words: string): string => `COMPREPLY=($(compgen -W "${words}" -- "$cur"))`

function complete(what: Completes | undefined): string {
  if (what === undefined) return 'COMPREPLY=()'
  if (what === 'format') return reply(`$(${ASK_FORMATS})`)
  if (what === 'folder') return 'COMPREPLY=($(compgen -d -- "$cur"))'
  if (what === 'file') return 'COMPREPLY=($(compgen -f -- "$cur"))'
  return reply(what.join(' '))
}

const names = (flag: Flag): string => [`--${flag}`, ...(specOf(flag).short ? [`-${specOf(flag).short}`] : [])].join('|')

export function bashCompletion(commands: Commands): string {
  const valued = (Object.keys(FLAGS) as Flag[]).filter((flag) => specOf(flag).value)
  const values = valued.map((flag) => `    ${names(flag)}) ${complete(specOf(flag).completes)}; return ;;`)
  const all = offers(commands)
  const paths = all.filter(({ path }) => path).map(({ path }) => quoted(path))
  const cases = all.map(({ path, words, flags, command }) => {
    const [argument] = command?.takes ?? []
    const dashed = flags.map((flag) => `--${flag}`).join(' ')
    const first = words.length ? `${reply(words.map(([name]) => name).join(' '))}` : complete(argument?.completes)
    return `    ${quoted(path)}) if [[ $cur == -* ]]; then ${reply(dashed)}; else ${first}; fi ;;`
  })
  return `# bash completion for reforge. Use it with: source <(reforge completion bash)
_reforge() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path='' word next skip=''
  case $prev in
${values.join('\n')}
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $skip ]]; then skip=''; continue; fi
    case $word in
      ${valued.map(names).join('|')}) skip=1; continue ;;
      -*) continue ;;
    esac
    next="\${path:+$path }$word"
    case $next in ${paths.join('|')}) path=$next ;; *) break ;; esac
  done
  case $path in
${cases.join('\n')}
  esac
}
complete -o default -o filenames -F _reforge reforge
`
}
