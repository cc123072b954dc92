/** What the doctor found, in words. Asks nobody anything. */
import type { Health } from '@reforge/sdk'
import { clean } from '../exit.ts'
import { createLook, type Look } from '../look.ts'
import { bytes, table } from '../words.ts'

export interface Findings {
  client: { version: string; node: string }
  server: { url: string; certificate: string | null; error?: { code?: string; message: string } }
  health?: Health
  account?: { accepted: boolean; email?: string; given?: boolean }
  /** Debian packages that setup would install here. */
  setup: readonly string[]
  exit?: number
}

type Line = readonly [mark: 'good' | 'bad' | 'odd', name: string, what: string]

function ofServer({ server, health, account }: Findings): Line[] {
  if (!health) return [['bad', 'server', server.error?.message ?? `${server.url} gives no answer.`]]
  const { status, version, sandbox, disk } = health
  const key: Line = account?.accepted
    ? ['good', 'key', `accepted${account.email ? `, ${account.email}` : ''}`]
    : ['bad', 'key', `${account?.given ? 'refused' : 'none given'}; "reforge login" keeps one`]
  return [
    [status === 'ok' ? 'good' : status === 'unsafe' ? 'odd' : 'bad', 'server', `${server.url}  ${version}  ${status}`],
    ['good', 'certificate', server.certificate ?? 'trusted by this machine'],
    key,
    [sandbox.kind === 'none' ? 'bad' : 'good', 'sandbox', sandbox.warning ?? sandbox.kind],
    ...(disk ? [[disk.warning ? 'bad' : 'good', 'disk', disk.warning ?? `${bytes(disk.free)} free`] as const] : []),
  ]
}

function ofEngines({ health }: Findings): Line[] {
  if (!health) return []
  const { engines } = health
  const missing = engines.filter(({ ready }) => !ready)
  const counted: Line = [
    missing.length ? 'odd' : 'good',
    'engines',
    missing.length ? `${engines.length - missing.length} of ${engines.length} ready` : `all ${engines.length} ready`,
  ]
  const lines = missing.map(({ title, missing: programs }): Line => {
    const lacks = programs.map(({ program }) => clean(program)).join(', ')
    const from = [...new Set(programs.flatMap(({ debian }) => debian ?? []))]
    return [
      'bad',
      '',
      `${clean(title)} lacks ${lacks}${from.length ? `: apt-get install ${clean(from.join(' '))}` : ''}`,
    ]
  })
  return [counted, ...lines]
}

function ofSetup({ setup }: Findings): Line[] {
  if (setup.length === 0) return []
  return [['odd', 'setup', `npm run setup would bring ${setup.join(', ')}`]]
}

const marks = (look: Look) => ({ good: look.good('✓'), bad: look.bad('✗'), odd: look.accent('!') })

export function diagnosis(findings: Findings, out: NodeJS.WriteStream): string {
  const look = createLook(out)
  const mark = marks(look)
  const { client } = findings
  const lines: Line[] = [
    ['good', 'reforge', `${client.version} on Node ${client.node.slice(1)}`],
    ...ofServer(findings),
    ...ofEngines(findings),
    ...ofSetup(findings),
  ]
  const rows = table(lines.map(([, name, what]) => [name, what]))
  return lines.map(([kind], index) => `${mark[kind]} ${rows[index]}\n`).join('')
}
