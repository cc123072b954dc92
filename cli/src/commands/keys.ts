/** reforge keys: over the API; and, with --user, on the data folder itself, which needs no key and no running server. */
import type { Key } from '@reforge/sdk'
import type { Command, Context } from '../command.ts'
import { dataFolder } from '../connect.ts'
import { clean, EXIT, UsageError } from '../exit.ts'
import { SCOPES } from '../flags.ts'
import { ask, serverEnvironment } from '../hand-over.ts'
import { didYouMean } from '../nearest.ts'
import { show } from '../records.ts'
import { ago } from '../words.ts'

/** The server's administration makes it; answers the key. */
export async function keyOnDataFolder({ values, env }: Context): Promise<{ key: string; code: number }> {
  const { user = '', name, scopes } = values
  const args = [
    'keys',
    'create',
    '--user',
    user,
    ...(name ? ['--name', name] : []),
    ...(scopes ? ['--scopes', scopes] : []),
  ]
  const own = serverEnvironment(env, { REFORGE_DATA: dataFolder(env) })
  const { said, code } = await ask('server/src/admin.ts', args, own)
  return { key: said, code }
}

function readScopes(text: string | undefined) {
  if (text === undefined) return undefined
  return text.split(',').map((each) => {
    const scope = SCOPES.find((known) => known === each.trim())
    if (!scope)
      throw new UsageError(`There is no scope "${each}".${didYouMean(each, SCOPES)} There are: ${SCOPES.join(', ')}.`)
    return scope
  })
}

const BUDGET = /^(\d+(?:\.\d+)?)\/(day|month)$/

/** Undefined when nothing was said, null for none. */
function readBudget(text: string | undefined) {
  if (text === undefined) return undefined
  if (text === 'none') return null
  const [, minutes, per] = BUDGET.exec(text.trim()) ?? []
  if (minutes === undefined || (per !== 'day' && per !== 'month'))
    throw new UsageError(`"${clean(text)}" is no budget. Say 30/day, 600/month or none.`)
  return { minutes: Number(minutes), per } as const
}

const ration = (budget: Key['budget']): string =>
  budget ? `${budget.used} of ${budget.minutes} min a ${budget.per}` : ''

async function list({ reforge, out, values }: Context): Promise<number> {
  const keys = await (await reforge()).account.keys.list()
  const used = (at: string | null) => (at === null ? 'never used' : `used ${ago(Date.now() - Date.parse(at))}`)
  show({ out, values }, keys, (key) => [
    key.id,
    key.current ? 'this one' : '',
    clean(key.name),
    used(key.lastUsedAt),
    key.scopes.join(','),
    ration(key.budget),
  ])
  return EXIT.ok
}

async function create(context: Context): Promise<number> {
  const { values, out, err, reforge } = context
  if (values.user !== undefined) {
    const { key, code } = await keyOnDataFolder(context)
    if (code === 0) out.write(values.json ? `${JSON.stringify({ key })}\n` : `${key}\n`)
    return code
  }
  if (!values.name)
    throw new UsageError('Give --name for a key of your own, or --user for one made on the machine of the server.')
  const scopes = readScopes(values.scopes)
  const budget = readBudget(values.budget)
  const body = { name: values.name, ...(scopes && { scopes }), ...(budget && { budget }) }
  const made = await (await reforge()).account.keys.create(body)
  out.write(values.json ? `${JSON.stringify(made)}\n` : `${made.key}\n`)
  if (out.isTTY && !values.json) err.write('Shown this once; keep it.\n')
  return EXIT.ok
}

async function change({ names: [id = ''], reforge, out, values }: Context): Promise<number> {
  const budget = readBudget(values.budget)
  const body = { ...(values.name !== undefined && { name: values.name }), ...(budget !== undefined && { budget }) }
  if (Object.keys(body).length === 0) throw new UsageError('Say what to change: --name or --budget.')
  const key = await (await reforge()).account.keys.update(id, body)
  show({ out, values }, [key], ({ id, name, budget }) => [id, clean(name), ration(budget)])
  return EXIT.ok
}

async function revoke({ names, reforge, out, values }: Context): Promise<number> {
  const { keys } = (await reforge()).account
  for (const id of names) {
    await keys.revoke(id)
    out.write(values.json ? `${JSON.stringify({ id, revoked: true })}\n` : `${clean(id)}\n`)
  }
  return EXIT.ok
}

export const keys: Command = {
  summary: 'List, make, change or revoke API keys.',
  examples: [
    ['reforge keys', 'your keys'],
    ['reforge keys create --name laptop --scopes tasks:read,tasks:write', 'one that may do less'],
    ['reforge keys create --user you@example.org', 'the first one, on the machine of the server'],
  ],
  verbs: {
    list: { summary: 'List your keys.', examples: [['reforge keys list', 'your keys']], run: list },
    create: {
      summary: 'Make a key; it is shown this once.',
      about: ['With --user it is made on the data folder of the server, beside a running server or without one.'],
      flags: ['name', 'scopes', 'budget', 'user'],
      examples: [
        ['reforge keys create --name laptop', 'for yourself'],
        ['reforge keys create --user ada@example.org', 'on the machine of the server'],
      ],
      run: create,
    },
    change: {
      summary: 'Rename a key, or change what it may use.',
      takes: [{ name: 'ID', word: 'key' }],
      flags: ['name', 'budget'],
      examples: [
        ['reforge keys change 6650c0ffee0123456789abcd --budget 30/day', 'half an hour a day'],
        ['reforge keys change 6650c0ffee0123456789abcd --budget none', 'all there is'],
      ],
      run: change,
    },
    revoke: {
      summary: 'Revoke keys, at once.',
      takes: [{ name: 'ID', word: 'key', many: true }],
      examples: [['reforge keys revoke 6650c0ffee0123456789abcd', 'as "reforge keys" lists it']],
      run: revoke,
    },
  },
  run: list,
}
