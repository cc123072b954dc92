/** What is done on the data folder itself, beside a running server or without one. Called by the command line. */
import { parseArgs } from 'node:util'
import { openData } from './compose.ts'
import { ConfigError, readConfig } from './config.ts'
import { createKey } from './first-key.ts'
import { SCOPES, type Scope } from './ports/accounts.ts'

const USAGE = 'Usage: reforge keys create --user you@example.org [--name my-key] [--scopes tasks:read,tasks:write]'

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

const [room, verb, ...rest] = process.argv.slice(2)
try {
  if (room !== 'keys' || verb !== 'create') throw new UsageError(USAGE)
  console.log(await createKeyCommand(rest))
} catch (error) {
  const isOurs =
    error instanceof UsageError ||
    error instanceof ConfigError ||
    (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  console.error(isOurs ? (error as Error).message : error)
  process.exitCode = isOurs ? 2 : 1
}
