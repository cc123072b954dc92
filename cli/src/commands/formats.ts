/** reforge formats: what this server can read and write. */
import { type FormatList, ReforgeError } from '@reforge/sdk'
import type { Command, Context } from '../command.ts'
import { clean, EXIT, UsageError } from '../exit.ts'
import { VERBS } from '../flags.ts'
import { columns, createLook } from '../look.ts'
import { didYouMean } from '../nearest.ts'

const exts = ({ formats }: FormatList): string[] => [...new Set(formats.map(({ ext }) => clean(ext)))].sort()

async function all(context: Context): Promise<number> {
  const formats = exts(await (await context.reforge()).formats.all())
  const { out } = context
  if (context.values.json) out.write(`${JSON.stringify(formats)}\n`)
  else if (out.isTTY)
    out.write(`${wrap(formats, columns(out))}\n\n${hint(out, 'reforge formats png', 'what png can become')}\n`)
  else out.write(formats.map((ext) => `${ext}\n`).join(''))
  return EXIT.ok
}

/** A format that does not exist can become nothing. */
function unknown(error: unknown): FormatList {
  if (error instanceof ReforgeError && error.status === 400) return { formats: [] }
  throw error
}

async function ofOne(context: Context, ext: string): Promise<number> {
  const { formats } = await context.reforge()
  const lists = await Promise.all(VERBS.map((verb) => formats[verb]({ input_format: ext }).catch(unknown)))
  const possible = VERBS.map((verb, index) => [verb, exts(lists[index] ?? { formats: [] })] as const).filter(
    ([, list]) => list.length,
  )
  if (possible.length === 0) {
    const known = exts(await formats.all())
    throw new UsageError(`This server has no use for ${ext}.${didYouMean(ext, known)} See: reforge formats`)
  }
  const { out } = context
  if (context.values.json) out.write(`${JSON.stringify(Object.fromEntries(possible))}\n`)
  else if (out.isTTY) {
    const look = createLook(out)
    const line = ([verb, list]: (typeof possible)[number]) =>
      `${look.strong(verb.padEnd(10))}${wrap(list, columns(out) - 10, 10)}\n`
    out.write(
      `${possible.map(line).join('')}\n${hint(out, `reforge options ${ext} ${possible[0]?.[1][0]}`, 'the settings of that pair')}\n`,
    )
  } else out.write(possible.flatMap(([verb, list]) => list.map((to) => `${verb}\t${to}\n`)).join(''))
  return EXIT.ok
}

const hint = (out: NodeJS.WriteStream, command: string, what: string): string =>
  createLook(out).faint(`${command}   ${what}`)

/** Words in lines of that width, all but the first indented. */
function wrap(words: readonly string[], width = 80, indent = 0): string {
  const lines: string[] = ['']
  for (const word of words) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}

export const formats: Command = {
  summary: 'List formats, or what one can become.',
  takes: [{ name: 'FORMAT', word: 'format', optional: true, completes: 'format' }],
  examples: [
    ['reforge formats', 'all of this server'],
    ['reforge formats heic', 'what heic can become'],
  ],
  run(context) {
    const [ext] = context.names
    return ext === undefined ? all(context) : ofOne(context, ext.replace(/^\./, '').toLowerCase())
  },
}
