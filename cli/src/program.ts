/** The command line: finds the command, runs it, and ends with a code that means something. */
import type { Reforge } from '@reforge/sdk'
import packageJson from '../package.json' with { type: 'json' }
import { check, choose, readArguments } from './arguments.ts'
import { COMMANDS } from './commands/index.ts'
import { connect, settings } from './connect.ts'
import { EXIT, exitCode, Interrupted, problem, sentence } from './exit.ts'
import type { Values } from './flags.ts'
import { help, helpOf } from './help.ts'

const { stdin, stdout: out, stderr: err, env } = process

/** The first Ctrl-C lets the server cancel what it was asked; the second does not wait for that. */
function interrupts(): AbortSignal {
  const controller = new AbortController()
  let first = 0
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      // npm may pass on a Ctrl-C that the terminal has sent already.
      if (first && Date.now() - first > 500) process.exit(EXIT.stopped)
      first ||= Date.now()
      controller.abort(new Interrupted(name))
    })
  return controller.signal
}

async function main(values: Values, positionals: readonly string[]): Promise<number> {
  if (values.version) {
    out.write(`${packageJson.version}\n`)
    return EXIT.ok
  }
  if (positionals.length === 0) {
    // Asked for, it is the result; otherwise it is what was missing.
    const stream = values.help ? out : err
    stream.write(help(COMMANDS, stream))
    return values.help ? EXIT.ok : EXIT.usage
  }
  const chosen = choose(COMMANDS, positionals)
  if (values.help) {
    out.write(helpOf(chosen.path, chosen.command, out))
    return EXIT.ok
  }
  check(chosen, values)
  const signal = interrupts()
  let connected: Reforge | undefined
  const reforge = async () => {
    connected ??= connect(settings(values, env))
    return connected
  }
  return chosen.command.run({ values, names: chosen.names, in: stdin, out, err, signal, reforge, env })
}

// A reader that has seen enough, such as `head`, is no error.
out.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.failed))

const args = process.argv.slice(2)
try {
  const { values, positionals } = readArguments(args)
  process.exitCode = await main(values, positionals)
} catch (error) {
  if (args.includes('--json')) out.write(`${JSON.stringify({ ok: false, error: problem(error) })}\n`)
  else err.write(`${sentence(error)}\n`)
  process.exitCode = exitCode(error)
}
// A reader of standard input may still wait for more.
stdin.unref?.()
