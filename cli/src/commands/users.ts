/**
 * reforge users: for administrators, over the API. A link for a password is also made on the data folder itself, by
 * whoever has no key: the way back in when nobody can sign in any more.
 */
import type { Reforge, User, UserChange } from '@reforge/sdk'
import type { Argument, Command, Context } from '../command.ts'
import { dataFolder, settings } from '../connect.ts'
import { clean, EXIT, UsageError } from '../exit.ts'
import { ROLES } from '../flags.ts'
import { ask, serverEnvironment } from '../hand-over.ts'
import { didYouMean } from '../nearest.ts'
import { show } from '../records.ts'
import { ago } from '../words.ts'

const MOST = 200
const WHO: Argument = { name: 'USER', word: 'user' }

/** By id, or by the whole e-mail address. */
async function find({ admin }: Reforge, who: string): Promise<User> {
  if (/^[0-9a-f]{24}$/.test(who)) return admin.users.get(who)
  const { docs } = await admin.users.list({ search: who, per_page: MOST })
  const found = docs.find(({ email }) => email === who.trim().toLowerCase())
  if (found) return found
  const near = docs.length
    ? ` There ${docs.length === 1 ? 'is' : 'are'} ${docs.map(({ email }) => email).join(', ')}.`
    : ''
  throw new UsageError(`There is no user ${clean(who)}.${clean(near)}`)
}

const state = ({ suspendedAt, hasPassword, role }: User): string => {
  if (suspendedAt !== null) return 'suspended'
  return role === 'guest' || hasPassword ? 'active' : 'no password'
}
const seen = ({ seenAt }: User): string =>
  seenAt === null ? 'never signed in' : `seen ${ago(Date.now() - Date.parse(seenAt))}`
const row = (user: User): string[] => [user.id, state(user), clean(user.email), user.role, clean(user.plan), seen(user)]

async function list({ reforge, out, values }: Context): Promise<number> {
  const { docs, totalDocs } = await (await reforge()).admin.users.list({
    per_page: MOST,
    ...(values.search !== undefined && { search: values.search }),
  })
  show({ out, values }, docs, row)
  if (totalDocs > docs.length && out.isTTY) out.write(`${totalDocs - docs.length} more; find them with --search.\n`)
  return EXIT.ok
}

function readRole(text: string | undefined) {
  if (text === undefined) return undefined
  const role = ROLES.find((known) => known === text)
  if (!role)
    throw new UsageError(`There is no role "${clean(text)}".${didYouMean(text, ROLES)} There are: ${ROLES.join(', ')}.`)
  return role
}

async function invite({ names, values, reforge, out, err }: Context): Promise<number> {
  const [email = ''] = names
  const role = readRole(values.role)
  const plan = values.plan
  const made = await (await reforge()).admin.users.invite({ email, ...(role && { role }), ...(plan && { plan }) })
  out.write(values.json ? `${JSON.stringify(made)}\n` : `${made.invitation.url}\n`)
  if (out.isTTY && !values.json) err.write('Hand it over by a way you trust. It works once, for a week.\n')
  return EXIT.ok
}

/** Changes each of them, and shows what became of them. */
const changing =
  (to: UserChange) =>
  async (context: Context): Promise<number> =>
    change(context, context.names, to)

async function change({ reforge, out, values }: Context, names: readonly string[], to: UserChange): Promise<number> {
  const client = await reforge()
  const changed: User[] = []
  for (const who of names) changed.push(await client.admin.users.update((await find(client, who)).id, to))
  show({ out, values }, changed, row)
  return EXIT.ok
}

async function remove({ names, reforge, out, values }: Context): Promise<number> {
  const client = await reforge()
  for (const who of names) {
    const { id, email } = await find(client, who)
    await client.admin.users.delete(id)
    out.write(values.json ? `${JSON.stringify({ id, deleted: true })}\n` : `${clean(email)}\n`)
  }
  return EXIT.ok
}

async function reset(context: Context): Promise<number> {
  const { names, values, env, out, reforge } = context
  const [who = ''] = names
  const { key, url } = settings(values, env)
  if (key === undefined) {
    const own = serverEnvironment(env, { REFORGE_DATA: dataFolder(env) })
    const { said, code } = await ask('server/src/admin.ts', ['users', 'reset', who, '--url', url.origin], own)
    if (code === 0) out.write(values.json ? `${JSON.stringify({ url: said })}\n` : `${said}\n`)
    return code
  }
  const client = await reforge()
  const link = await client.admin.users.reset((await find(client, who)).id)
  out.write(values.json ? `${JSON.stringify(link)}\n` : `${link.url}\n`)
  return EXIT.ok
}

const many: readonly Argument[] = [{ ...WHO, many: true }]

export const users: Command = {
  summary: 'Invite, change and remove users; for administrators.',
  about: ['A user is named by e-mail address or id.'],
  examples: [
    ['reforge users', 'everybody'],
    ['reforge users invite ada@example.org', 'prints the link to hand over'],
    ['reforge users reset admin@localhost', 'on the machine of the server, without a key: the way back in'],
  ],
  flags: ['search'],
  verbs: {
    list: {
      summary: 'List users, newest first.',
      flags: ['search'],
      examples: [['reforge users list --search example.org', 'of one company']],
      run: list,
    },
    invite: {
      summary: 'Invite somebody; prints the link by which they set a password.',
      takes: [{ name: 'EMAIL', word: 'e-mail address' }],
      flags: ['role', 'plan'],
      examples: [['reforge users invite ada@example.org --role admin', 'a further administrator']],
      run: invite,
    },
    suspend: {
      summary: 'Let nothing of them in any more, and cancel what runs.',
      takes: many,
      examples: [['reforge users suspend eve@example.org', 'at once']],
      run: changing({ suspended: true }),
    },
    resume: {
      summary: 'Let them in again.',
      takes: many,
      examples: [['reforge users resume eve@example.org', 'with the keys they had']],
      run: changing({ suspended: false }),
    },
    reset: {
      summary: 'Print a link to set another password.',
      about: ['Without a key it is made on the data folder of the server, beside a running server or without one.'],
      takes: [WHO],
      examples: [['reforge users reset ada@example.org', 'it works once, for a day']],
      run: reset,
    },
    role: {
      summary: 'Make somebody an administrator, or a user again.',
      takes: [WHO, { name: 'ROLE', word: 'role', completes: ROLES }],
      examples: [['reforge users role ada@example.org admin', 'may invite others']],
      run: async (context) => {
        const [who = '', role] = context.names
        return change(context, [who], { role: readRole(role) ?? 'user' })
      },
    },
    plan: {
      summary: 'Give somebody another plan.',
      takes: [WHO, { name: 'PLAN', word: 'plan' }],
      examples: [['reforge users plan ada@example.org team', 'from now on']],
      run: async (context) => {
        const [who = '', plan = ''] = context.names
        return change(context, [who], { plan })
      },
    },
    delete: {
      summary: 'Remove users with their files, records, keys and webhooks.',
      takes: many,
      examples: [['reforge users delete eve@example.org', 'for good']],
      run: remove,
    },
  },
  run: list,
}
