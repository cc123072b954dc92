/** reforge login and logout: keep the address, the key and the certificate authority, so that they need not be given. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Command, Context } from '../command.ts'
import { connect, isLocal, settings } from '../connect.ts'
import { clean, EXIT, UsageError } from '../exit.ts'
import { createLook } from '../look.ts'
import { readStored, removeStored, storedPath, writeStored } from '../stored.ts'
import { keyOnDataFolder } from './keys.ts'

/** What is typed is not shown. */
async function prompt({ in: input, err, signal }: Context, question: string): Promise<string> {
  const silent = new Writable({ write: (_piece, _encoding, done) => done() })
  const lines = createInterface({ input, output: silent, terminal: true })
  // Only now: what is typed before the interface listens would be shown.
  err.write(question)
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return (await lines.question('', { signal })).trim()
  } catch {
    throw signal.reason
  } finally {
    lines.close()
    err.write('\n')
  }
}

/** Given, made on the data folder, piped in, or typed. */
async function findKey(context: Context, isHere: boolean): Promise<string> {
  const { values, env, in: stdin } = context
  if (values.user !== undefined) {
    if (!isHere) throw new UsageError('--user makes a key on the machine of the server only. Give --key.')
    const { key, code } = await keyOnDataFolder(context)
    if (code !== 0) throw new UsageError('No key was made.')
    return key
  }
  const given = values.key ?? env.REFORGE_API_KEY
  if (given) return given
  const typed = stdin.isTTY ? await prompt(context, 'API key: ') : (await text(stdin)).trim()
  if (typed) return typed
  throw new UsageError(
    'Give a key with --key or on standard input; on the machine of the server, --user you@example.org makes one.',
  )
}

export const login: Command = {
  summary: 'Keep a server and a key for later calls.',
  about: [
    'Asks the server whether it accepts the key, then writes ~/.config/reforge/config.json, which only you can read. The certificate authority of a server on this machine is found by itself. Flags and environment variables still come first.',
  ],
  takes: [{ name: 'URL', word: 'server', optional: true }],
  flags: ['user', 'name'],
  examples: [
    ['reforge login', 'a server on this machine; asks for the key'],
    ['reforge login https://convert.example.org --key rf_live_…', 'another one'],
    ['reforge login --user you@example.org', 'a server on this machine; makes a key'],
  ],
  async run(context) {
    const { values, names, env, out } = context
    // What was kept before must not decide: a broken file could never be replaced.
    removeBroken(env)
    const { url, ca } = settings({ ...values, ...(names[0] && { server: names[0] }) }, env)
    const key = await findKey(context, isLocal(url))
    const account = await connect({ url, key, ca }).account.me()
    const path = writeStored(env, { url: url.href, key, ...(ca && { ca: ca.path }) })
    const look = createLook(out)
    if (values.json) out.write(`${JSON.stringify({ ok: true, url: url.href, email: account.email, path })}\n`)
    else
      out.write(
        `${look.good('✓')} ${clean(account.email)} at ${url.origin}  ${look.faint(`kept in ${path.replace(env.HOME ?? '\0', '~')}`)}\n`,
      )
    return EXIT.ok
  },
}

function removeBroken(env: Context['env']): void {
  try {
    readStored(env)
  } catch {
    removeStored(env)
  }
}

export const logout: Command = {
  summary: 'Forget the server and the key.',
  about: ['The key itself stays valid: "reforge keys revoke" ends it.'],
  examples: [['reforge logout', 'removes what login kept']],
  async run({ env, out, values }) {
    removeStored(env)
    if (values.json) out.write(`${JSON.stringify({ ok: true, path: storedPath(env) })}\n`)
    return EXIT.ok
  },
}
