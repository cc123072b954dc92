/** reforge doctor: what is installed, what is missing, and what would bring it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Health, ReforgeError } from '@reforge/sdk'
import packageJson from '../../package.json' with { type: 'json' }
import type { Command, Context } from '../command.ts'
import { connect, isLocal, ROOT, settings } from '../connect.ts'
import { clean, EXIT, exitCode, problem } from '../exit.ts'
import { diagnosis, type Findings } from './doctor-text.ts'

interface Package {
  name: string
  proof: string
  group: string
}

const isPackages = (value: unknown): value is readonly Package[] =>
  Array.isArray(value) && value.every((each) => typeof each?.name === 'string' && typeof each.proof === 'string')

/** What setup would bring to this machine. Its list is in the project's folder, so an installed copy has none. */
async function lacking(): Promise<string[]> {
  const path = join(ROOT, 'scripts/packages.mjs')
  if (!existsSync(path)) return []
  const { DEBIAN }: { DEBIAN?: unknown } = await import(pathToFileURL(path).href)
  if (!isPackages(DEBIAN)) return []
  return DEBIAN.filter(({ group, proof }) => group === 'run' && !existsSync(proof)).map(({ name }) => name)
}

async function look({ values, env, signal }: Context): Promise<Findings> {
  const { url, key, ca } = settings(values, env)
  const reforge = connect({ url, key, ca }, 0)
  const findings: Findings = {
    client: { version: packageJson.version, node: process.version },
    server: { url: url.origin, certificate: ca?.path ?? null },
    setup: isLocal(url) ? await lacking() : [],
  }
  let health: Health
  try {
    health = await reforge.health({ signal })
  } catch (error) {
    return { ...findings, server: { ...findings.server, error: problem(error) }, exit: exitCode(error) }
  }
  const account = await reforge.account.me().then(
    ({ email }) => ({ accepted: true, email: clean(email) }),
    (error: unknown) => {
      if (!(error instanceof ReforgeError)) throw error
      // A key may be good without the right to see its account.
      return error.status === 403 ? { accepted: true } : { accepted: false, given: key !== undefined }
    },
  )
  return { ...findings, health, account }
}

function codeOf({ exit, health, account }: Findings): number {
  if (exit !== undefined) return exit
  if (account?.accepted === false) return EXIT.server
  return health?.status === 'failing' ? EXIT.failed : EXIT.ok
}

export const doctor: Command = {
  summary: 'Tell what is installed, what is missing and what would bring it.',
  about: [
    'Fails when the server cannot be reached, refuses the key or is in trouble; engines that are missing are told only.',
  ],
  examples: [['reforge doctor', 'how is my installation?']],
  async run(context) {
    const findings = await look(context)
    const { exit: _exit, ...told } = findings
    if (context.values.json) context.out.write(`${JSON.stringify(told)}\n`)
    else context.out.write(diagnosis(findings, context.out))
    return codeOf(findings)
  },
}
