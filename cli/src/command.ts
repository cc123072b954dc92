/** What a command is, and the flags all of them draw from. */
import { parseArgs } from 'node:util'
import type { Reforge } from '@reforge/sdk'
import { UsageError } from './exit.ts'

export const FLAGS = {
  to: { type: 'string', short: 't', hint: '--to FORMAT', help: 'Format to convert to.' },
  option: {
    type: 'string',
    multiple: true,
    hint: '--option NAME=VALUE',
    help: 'A setting; as often as needed.',
  },
  output: { type: 'string', short: 'o', hint: '--output PLACE', help: 'Folder for the results, or the file for one.' },
  force: { type: 'boolean', short: 'f', hint: '--force', help: 'Replace files that are there.' },
  json: { type: 'boolean', hint: '--json', help: 'Results as JSON, one line each.' },
  server: {
    type: 'string',
    hint: '--server URL',
    help: 'Address of the server (REFORGE_URL; https://localhost:8443).',
  },
  key: { type: 'string', hint: '--key KEY', help: 'API key (REFORGE_API_KEY).' },
  cacert: {
    type: 'string',
    hint: '--cacert FILE',
    help: 'Certificate authority to trust (REFORGE_CA; data/tls/ca.pem).',
  },
  help: { type: 'boolean', short: 'h', hint: '--help', help: 'This text, or that of a command.' },
  version: { type: 'boolean', hint: '--version', help: 'Version of the command line.' },
} as const

export type Flag = keyof typeof FLAGS

/** Every command takes these. */
export const COMMON: readonly Flag[] = ['json', 'server', 'key', 'cacert', 'help']

const parse = (args: string[]) => parseArgs({ args, options: FLAGS, allowPositionals: true })
export type Values = ReturnType<typeof parse>['values']

export interface Context {
  values: Values
  /** What follows the command's name. */
  names: readonly string[]
  /** Connected on first use. */
  reforge(): Promise<Reforge>
  out: NodeJS.WriteStream
  err: NodeJS.WriteStream
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}

export interface Command {
  usage: string
  summary: string
  takes: readonly Flag[]
  /** Answers the exit code. */
  run(context: Context): Promise<number>
}

export function readArguments(args: string[]): ReturnType<typeof parse> {
  try {
    return parse(args)
  } catch (error) {
    // Node's message goes on with advice about "--"; the first sentence is enough.
    throw new UsageError(`${(error as Error).message.split('. ')[0]?.replace(/\.$/, '')}. See: reforge --help`)
  }
}

export function refuseForeignFlags(name: string, { takes }: Command, values: Values): void {
  const foreign = Object.keys(values).find((flag) => ![...takes, ...COMMON].some((own) => own === flag))
  if (foreign) throw new UsageError(`reforge ${name} takes no --${foreign}. See: reforge ${name} --help`)
}

/** `--option quality=80 --option strip=true` */
export function readOptions(given: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf('=')
      if (at < 1) throw new UsageError(`"${text}" is no setting. Write --option name=value.`)
      return [text.slice(0, at), text.slice(at + 1)]
    }),
  )
}
