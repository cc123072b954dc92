/** What is done on the data folder itself, beside a running server or without one. Called by the command line. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { openData } from './compose.ts'
import { moveToPostgres } from './compose-move.ts'
import { ConfigError, readConfig } from './config.ts'
import { newId } from './core/ids.ts'
import { newTicket, welcomeUrl } from './core/ticket.ts'
import { createKey, FIRST_USER } from './first-key.ts'
import { SCOPES, type Scope } from './ports/accounts.ts'
import type { AuditEntry } from './ports/audit.ts'

const USAGE = `Usage: reforge keys create --user you@example.org [--name my-key] [--scopes tasks:read,tasks:write]
       reforge users reset you@example.org
       reforge migrate --to postgres://user:password@host/database`

class UsageError extends Error {}

const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text)

function readScopes(text: string | undefined): readonly Scope[] {
  if (text === undefined) return SCOPES
  const names = text.split(',').map((name) => name.trim())
  const odd = names.filter((name) => !isScope(name))
  if (odd.length) throw new UsageError(`There is no scope "${odd.join(', ')}". There are: ${SCOPES.join(', ')}.`)
  return names.filter(isScope)
}

async function createKeyCommand(args: string[]): Promise<string> {
  const { values } = parseArgs({
    args,
    options: { user: { type: 'string' }, name: { type: 'string' }, scopes: { type: 'string' } },
  })
  const { user: email = '', name = `command line ${new Date().toISOString()}` } = values
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError(`--user must be an e-mail address.\n${USAGE}`)
  const scopes = readScopes(values.scopes)
  const { database, accounts } = await openData(readConfig(process.env))
  try {
    return await createKey(accounts, { email, name, scopes, now: Date.now() })
  } finally {
    await database.close()
  }
}

/** A link to set the password of whoever has this address: for one who has no key, and cannot sign in. */
async function resetCommand(args: string[]): Promise<string> {
  const { values, positionals } = parseArgs({ args, options: { url: { type: 'string' } }, allowPositionals: true })
  const config = readConfig(process.env)
  const { database, users, credentials, audit } = await openData(config)
  try {
    const user = await users.byEmail(positionals[0] ?? '')
    if (!user) throw new UsageError(`There is no user ${positionals[0] ?? ''}.\n${USAGE}`)
    const now = Date.now()
    const kind = user.email === FIRST_USER ? 'first' : 'reset'
    const { plain, hash, ticket } = newTicket(user.id, kind, now)
    const entry: AuditEntry = {
      id: newId(now),
      at: now,
      user: null,
      email: null,
      via: 'server',
      viaId: null,
      address: null,
      action: 'user.reset',
      target: `user:${user.id}`,
      detail: { email: user.email },
    }
    await credentials.tickets.add(ticket, hash, audit.within(entry))
    return welcomeUrl(config.publicUrl ?? values.url ?? `https://localhost:${config.port}`, plain)
  } finally {
    await database.close()
  }
}

/** "Move from one machine to many": `--to postgres` is the database that REFORGE_DATABASE_URL names. */
async function migrateCommand(args: string[]): Promise<string> {
  const { values } = parseArgs({ args, options: { to: { type: 'string' } } })
  const config = readConfig({ ...process.env, ...(values.to?.includes(':') && { REFORGE_DATABASE_URL: values.to }) })
  if (!values.to || config.databaseUrl === null)
    throw new UsageError(`--to must be an address, or postgres for the one in REFORGE_DATABASE_URL.\n${USAGE}`)
  const { rows, tasks, files } = await moveToPostgres(config, config.databaseUrl, pino({ level: 'warn' }))
  const { users = 0, keys = 0, webhooks = 0, jobs = 0 } = rows
  const where = config.s3Bucket ? `${files} files are in the bucket.` : `Files stay in ${join(config.data, 'blobs')}.`
  return [
    `Moved ${users} users, ${keys} keys, ${webhooks} webhooks and ${jobs} jobs; ${tasks} tasks go on there. ${where}`,
    config.secret
      ? 'Start every node with the same REFORGE_SECRET as now.'
      : `Give every node a copy of ${join(config.data, 'secrets')} in its data folder: what is sealed opens with it.`,
  ].join('\n')
}

const COMMANDS: Record<string, (args: string[]) => Promise<string>> = {
  'keys create': createKeyCommand,
  'users reset': resetCommand,
  migrate: migrateCommand,
}

/** The first words name the command. */
function commandOf([room = '', verb = '', ...rest]: string[]) {
  const two = COMMANDS[`${room} ${verb}`]
  const one = COMMANDS[room]
  if (two) return () => two(rest)
  return one && (() => one([verb, ...rest].filter(Boolean)))
}

try {
  const command = commandOf(process.argv.slice(2))
  if (!command) throw new UsageError(USAGE)
  console.log(await command())
} catch (error) {
  const isOurs =
    error instanceof UsageError ||
    error instanceof ConfigError ||
    (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  console.error(isOurs ? (error as Error).message : error)
  process.exitCode = isOurs ? 2 : 1
}
