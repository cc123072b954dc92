#!/usr/bin/env node
/** The command line: finds the command, runs it, and ends with a code that means something. */
import type { Reforge } from '@reforge/sdk'
import packageJson from '../package.json' with { type: 'json' }
import { type Command, readArguments, refuseForeignFlags } from './command.ts'
import { compress } from './commands/compress.ts'
import { convert } from './commands/convert.ts'
import { formats } from './commands/formats.ts'
import { jobs } from './commands/jobs.ts'
import { keys } from './commands/keys.ts'
import { options } from './commands/options.ts'
import { connect } from './connect.ts'
import { EXIT, exitCode, sentence, UsageError } from './exit.ts'
import { help, helpOf } from './help.ts'

const COMMANDS: Readonly<Record<string, Command>> = { convert, compress, formats, options, jobs }
const { stdout: out, stderr: err } = process

/** The first Ctrl-C lets the server cancel what it was asked; the second does not wait for that. */
function interrupts(): AbortSignal {
  const controller = new AbortController()
  let first = 0
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      // npm may pass on a Ctrl-C that the terminal has sent already.
      if (first && Date.now() - first > 500) process.exit(EXIT.stopped)
      first ||= Date.now()
      controller.abort()
    })
  return controller.signal
}

async function main(args: string[]): Promise<number> {
  const [verb, ...rest] = args
  if (verb === 'keys' && !rest.includes('--help') && !rest.includes('-h')) return keys.run(rest)
  const { values, positionals } = readArguments(args)
  const [name, ...names] = positionals
  if (values.version) {
    out.write(`${packageJson.version}\n`)
    return EXIT.ok
  }
  const all = { ...COMMANDS, keys }
  if (name === undefined || (values.help && !Object.hasOwn(all, name))) {
    // Asked for, it is the result; otherwise it is what was missing.
    const stream = values.help ? out : err
    stream.write(help(all, stream))
    return values.help ? EXIT.ok : EXIT.usage
  }
  if (values.help) {
    out.write(helpOf(all[name as keyof typeof all], out))
    return EXIT.ok
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new UsageError(`There is no command "${name}". There are: ${Object.keys(all).join(', ')}.`)
  refuseForeignFlags(name, command, values)
  const signal = interrupts()
  let connected: Reforge | undefined
  const reforge = async () => {
    connected ??= connect(values, process.env)
    return connected
  }
  const code = await command.run({ values, names, out, err, signal, reforge })
  if (code === EXIT.stopped) err.write('Stopped. What was under way on the server is canceled.\n')
  return code
}

// A reader that has seen enough, such as `head`, is no error.
out.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.failed))

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  err.write(`${sentence(error)}\n`)
  process.exitCode = exitCode(error)
}
