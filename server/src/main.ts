/** Start and stop. Settings come from the environment; a wrong one ends the start with its name and what is allowed. */
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, ConfigError, readConfig, unknownSettings } from './config.ts'
import { welcomeUrl } from './core/ticket.ts'
import type { Serving } from './serve.ts'
import { compileSoon, keepHouse } from './v8-flags.ts'

/** The first minute decides: the address, the key, and one line to copy that converts a file. */
function welcome({ url, caPath, firstKey, firstTicket, sandbox, missing }: Serving): string {
  const ca = relative(process.cwd(), caPath) || caPath
  const lines = [`Reforge is listening on ${url}`, '']
  if (firstKey) {
    lines.push(`  API key      ${firstKey}`, '               Shown this once; keep it.')
    const where = url === 'https://localhost:8443' ? '' : `REFORGE_URL=${url} `
    lines.push(
      `  Convert      ${where}REFORGE_API_KEY=${firstKey} npm run --silent reforge -- convert photo.png photo.jpg`,
    )
  }
  if (firstTicket) {
    lines.push(`  Sign in      ${welcomeUrl(url, firstTicket)}`)
    lines.push('               Sets the password of the first administrator; it works once, for a week.')
  }
  lines.push(`  Certificate  curl --cacert ${ca} ${url}/health`, `  API          ${url}/docs`)
  if (sandbox === 'none') lines.push('', '  Engines run without a sandbox. Use this only with files you made yourself.')
  const packages = [...new Set(missing.map(({ debian }) => debian).filter(Boolean))]
  if (packages.length) lines.push('', `  For more formats: apt-get install ${packages.join(' ')}`)
  return lines.join('\n')
}

/** `--role worker --engines office,ffmpeg --lanes heavy`: the same settings, nearer at hand. */
function wishes(): { migrate: boolean; env: NodeJS.ProcessEnv } {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { role: text, engines: text, lanes: text, migrate: { type: 'boolean' } } })
  const { migrate = false, ...settings } = values
  const given = Object.entries(settings).map(([name, value]) => [`REFORGE_${name.toUpperCase()}`, value])
  return { migrate, env: { ...process.env, ...Object.fromEntries(given) } }
}

/** For a job that goes before the nodes of a new release. Each would do it by itself, one waiting for the other. */
async function bringUpToDate(config: Config): Promise<void> {
  const { openDatabase } = await import('./compose-records.ts')
  await (await openDatabase(config)).close()
  console.log('The database has the schema of this release.')
}

async function main(): Promise<void> {
  for (const name of unknownSettings(process.env)) console.error(`${name} is not a setting of Reforge and is ignored.`)
  const { migrate, env } = wishes()
  const config = readConfig(env)
  if (migrate) return bringUpToDate(config)
  keepHouse()
  // Only now: loading the rest already fills the heap.
  const { serve } = await import('./serve.ts')
  const serving = await serve(config)
  compileSoon()
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    console.error(`Stopping on ${signal}; running tasks get a moment to finish.`)
    serving.stop().then(
      () => process.exit(0),
      (error) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // Last: whoever reads it may stop us at once.
  console.log(welcome(serving))
}

try {
  await main()
} catch (error) {
  console.error(error instanceof ConfigError || (error instanceof Error && !isBug(error)) ? error.message : error)
  process.exit(1)
}

/** An error with a system code or of our own making speaks for itself; the rest is shown whole. */
function isBug(error: Error): boolean {
  if ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) return false
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
}
