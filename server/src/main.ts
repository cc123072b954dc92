/** Start and stop. Settings come from the environment; a wrong one ends the start with its name and what is allowed. */
import './heap.ts'
import { relative } from 'node:path'
import { ConfigError, readConfig, unknownSettings } from './config.ts'
import type { Serving } from './serve.ts'

/** The first minute decides: the address, the key, and one line to copy that converts a file. */
function welcome({ url, caPath, firstKey, sandbox, missing }: Serving): string {
  const ca = relative(process.cwd(), caPath) || caPath
  const lines = [`Reforge is listening on ${url}`, '']
  if (firstKey) {
    lines.push(`  API key      ${firstKey}`, '               Shown this once; keep it.')
    const where = url === 'https://localhost:8443' ? '' : `REFORGE_URL=${url} `
    lines.push(
      `  Convert      ${where}REFORGE_API_KEY=${firstKey} npm run --silent reforge -- convert photo.png photo.jpg`,
    )
  }
  lines.push(`  Certificate  curl --cacert ${ca} ${url}/health`, `  API          ${url}/docs`)
  if (sandbox === 'none') lines.push('', '  Engines run without a sandbox. Use this only with files you made yourself.')
  const packages = [...new Set(missing.map(({ debian }) => debian).filter(Boolean))]
  if (packages.length) lines.push('', `  For more formats: apt-get install ${packages.join(' ')}`)
  return lines.join('\n')
}

async function main(): Promise<void> {
  for (const name of unknownSettings(process.env)) console.error(`${name} is not a setting of Reforge and is ignored.`)
  // Only now: loading the rest already fills the heap, which must know by then how to keep house.
  const { serve } = await import('./serve.ts')
  const serving = await serve(readConfig(process.env))
  console.log(welcome(serving))
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
}

try {
  await main()
} catch (error) {
  console.error(error instanceof ConfigError || (error instanceof Error && !isBug(error)) ? error.message : error)
  process.exit(1)
}

/** An error with a system code or of our own making speaks for itself; the rest is shown whole. */
function isBug(error: Error): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
}
