/** Every flag of every command, spelled once: parsing, help, completion, the man page and docs/cli.md read this. */
import { parseArgs } from 'node:util'

/** What completion offers after the flag or in the argument's place. */
export type Completes = 'file' | 'folder' | 'format' | readonly string[]

interface FlagSpec {
  type: 'string' | 'boolean'
  short?: string
  multiple?: boolean
  /** Stands for the value in help; a flag without one takes none. */
  value?: string
  completes?: Completes
  /** Sent along as the conversion's option of the same name. */
  isOption?: true
  help: string
}

const text = <const F extends Omit<FlagSpec, 'type'>>(spec: F) => ({ type: 'string', ...spec }) as const
const on = <const F extends Omit<FlagSpec, 'type' | 'value'>>(spec: F) => ({ type: 'boolean', ...spec }) as const

export const VERBS = ['convert', 'compress', 'merge', 'crop', 'trim'] as const
export const SCOPES = ['tasks:read', 'tasks:write', 'webhooks', 'account'] as const
export const ROLES = ['admin', 'user'] as const
const LANES = ['io', 'light', 'heavy'] as const
export const USAGE_FIELDS = ['day', 'operation', 'from', 'format', 'key'] as const
export const EVENTS = ['job.created', 'job.success', 'job.failed'] as const
export const STATUSES = ['created', 'processing', 'completed', 'failed'] as const

export const FLAGS = {
  to: text({
    short: 't',
    value: 'FORMAT',
    completes: 'format',
    help: 'Format to produce; of "migrate" the database, such as postgres://user:password@host/reforge.',
  }),
  from: text({ value: 'FORMAT', completes: 'format', help: 'Format of the input; found from its content otherwise.' }),
  option: text({ multiple: true, value: 'NAME=VALUE', help: 'A setting, as often as needed; see "reforge options".' }),
  for: text({ value: 'WORK', completes: VERBS, help: `Of ${VERBS.join(', ')}; convert by default.` }),
  engine: text({ value: 'NAME', help: 'Use this engine and no other.' }),
  output: text({
    short: 'o',
    value: 'PLACE',
    completes: 'file',
    help: 'File for the result, folder for several, or - for standard output.',
  }),
  'output-dir': text({
    short: 'd',
    value: 'FOLDER',
    completes: 'folder',
    help: 'Folder for the results; folders given as input keep their structure in it.',
  }),
  force: on({ short: 'f', help: 'Replace files that are there.' }),
  x: text({ value: 'PLACE', isOption: true, help: 'Where the part begins from the left: pixels, or 10%.' }),
  y: text({ value: 'PLACE', isOption: true, help: 'Where the part begins from the top.' }),
  width: text({ value: 'LENGTH', isOption: true, help: 'Width of the part; all that is left otherwise.' }),
  height: text({ value: 'LENGTH', isOption: true, help: 'Height of the part; all that is left otherwise.' }),
  start: text({ value: 'TIME', isOption: true, help: 'Where the part begins: seconds, or 1:02:03.5.' }),
  end: text({ value: 'TIME', isOption: true, help: 'Where the part ends; at the end otherwise.' }),
  duration: text({ value: 'TIME', isOption: true, help: 'How long the part is, instead of its end.' }),
  status: text({ value: 'STATUS', completes: STATUSES, help: `Only ${STATUSES.join(', ')} ones.` }),
  tag: text({ value: 'TAG', help: 'Only those with this tag.' }),
  user: text({ value: 'EMAIL', help: 'User to make the key for, on the machine of the server; needs no key.' }),
  search: text({ value: 'TEXT', help: 'Only those with this in their e-mail address.' }),
  role: text({
    value: 'ROLE',
    completes: ROLES,
    help: `What they may do: ${ROLES.join(', ')}; of a server: all, api, worker.`,
  }),
  plan: text({ value: 'PLAN', help: 'Name of the plan.' }),
  name: text({ value: 'NAME', help: 'Name of the key, to tell keys apart.' }),
  scopes: text({ value: 'LIST', completes: SCOPES, help: `What the key may do: ${SCOPES.join(',')}.` }),
  budget: text({ value: 'MINUTES/PERIOD', help: 'What a key may use: 30/day, 600/month, or none for all there is.' }),
  by: text({ value: 'LIST', completes: USAGE_FIELDS, help: `Any of ${USAGE_FIELDS.join(', ')}; day by default.` }),
  since: text({ value: 'DAY', help: 'First day, such as 2030-06-01; the first of this month by default.' }),
  until: text({ value: 'DAY', help: 'Last day; today by default.' }),
  events: text({ value: 'LIST', completes: EVENTS, help: `What to be told of: ${EVENTS.join(',')}.` }),
  port: text({ value: 'NUMBER', help: 'Port to listen on (REFORGE_PORT; 8443).' }),
  engines: text({
    value: 'LIST',
    help: 'Engines that a worker uses, such as office,ffmpeg (REFORGE_ENGINES; all it finds).',
  }),
  lanes: text({ value: 'LIST', completes: LANES, help: `What a worker takes (REFORGE_LANES): ${LANES.join(',')}.` }),
  host: text({ value: 'ADDRESS', help: 'Address to listen on (REFORGE_HOST; 127.0.0.1).' }),
  data: text({ value: 'FOLDER', completes: 'folder', help: 'Folder for all the server keeps (REFORGE_DATA).' }),
  man: on({ help: 'The manual page, for man: reforge help --man | man -l -' }),
  json: on({ help: 'Results as JSON, one line each.' }),
  server: text({ value: 'URL', help: 'Address of the server (REFORGE_URL; https://localhost:8443).' }),
  key: text({ value: 'KEY', help: 'API key (REFORGE_API_KEY).' }),
  cacert: text({
    value: 'FILE',
    completes: 'file',
    help: 'Certificate authority to trust (REFORGE_CA; data/tls/ca.pem).',
  }),
  help: on({ short: 'h', help: 'Help, also for a command.' }),
  version: on({ help: 'Version of the command line.' }),
} as const satisfies Readonly<Record<string, FlagSpec>>

export type Flag = keyof typeof FLAGS

export const parse = (args: string[]) => parseArgs({ args, options: FLAGS, allowPositionals: true })
export type Values = ReturnType<typeof parse>['values']

/** Every command takes these. */
export const COMMON: readonly Flag[] = ['json', 'server', 'key', 'cacert', 'help']

export const specOf = (flag: Flag): FlagSpec => FLAGS[flag]

/** `--to FORMAT` */
export const written = (flag: Flag): string => `--${flag}${specOf(flag).value ? ` ${specOf(flag).value}` : ''}`
