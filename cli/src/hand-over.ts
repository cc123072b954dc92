/** Lets another program of the project do it, with our own streams. Answers its exit code as a shell would. */
import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { join } from 'node:path'
import type { Context } from './command.ts'
import { ROOT } from './connect.ts'
import { Interrupted } from './exit.ts'

/** How the server's heap begins; why, is told in server/src/v8-flags.ts. */
const HEAP = '--min-semi-space-size=4'

type Environment = Readonly<Record<string, string | undefined>>

/** What follows is the command line's own; the server would take them for misspelt settings. */
export function serverEnvironment(env: Environment, own: Environment = {}): Record<string, string | undefined> {
  const { REFORGE_URL: _url, REFORGE_CA: _ca, ...rest } = env
  return { ...rest, ...own }
}

export async function handOver(context: Context, program: string, args: readonly string[], options: SpawnOptions) {
  const child = spawn(process.execPath, [HEAP, join(ROOT, program), ...args], { stdio: 'inherit', ...options })
  // A terminal sends Ctrl-C to all of us; a second one would read as "stop at once".
  const pass = () => {
    const { reason } = context.signal
    const signal = reason instanceof Interrupted ? reason.signal : 'SIGTERM'
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  context.signal.addEventListener('abort', pass, { once: true })
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return signal ? 128 + constants.signals[signal] : (code ?? 1)
}

/** What it said on standard output, and how it ended. */
export async function ask(program: string, args: readonly string[], env: Environment) {
  const child = spawn(process.execPath, [join(ROOT, program), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env },
  })
  let said = ''
  child.stdout.on('data', (piece) => {
    said += piece
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { said: said.trim(), code: code ?? 1 }
}
