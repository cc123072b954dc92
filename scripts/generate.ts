/**
 * Writes what derives from the declarations: docs/openapi.json, the SDK's types, docs/formats.md, docs/cli.md and the
 * manual page. With --check it writes nothing and fails when one of them is out of date.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { COMMANDS } from '../cli/src/commands/index.ts'
import { manPage } from '../cli/src/man.ts'
import { cliPage } from '../cli/src/markdown.ts'
import { createCatalog } from '../server/src/catalog/catalog.ts'
import { OPERATIONS } from '../server/src/catalog/engine.ts'
import { FORMATS } from '../server/src/catalog/formats.ts'
import { engines } from '../server/src/engines/index.ts'
import type { HttpDeps } from '../server/src/http/deps.ts'
import type { Metrics } from '../server/src/http/metrics.ts'
import { createOpenApi } from '../server/src/http/openapi.ts'
import { createRoutes } from '../server/src/http/routes/index.ts'
import { operations } from '../server/src/operations/index.ts'
import { version } from '../server/src/version.ts'

const root = join(import.meta.dirname, '..')
const catalog = createCatalog(engines)

function openApi() {
  // Routes are only described here, never called, so most of what they are given is not needed.
  const deps = { operations, catalog, credentials: {}, settings: { version } } as unknown as HttpDeps
  const follow = () => {
    throw new Error('described only')
  }
  return createOpenApi(createRoutes({ deps, engines: [], metrics: {} as Metrics, follow }), version)
}

function formatsPage(): string {
  const lines = [
    '# Formats',
    '',
    'What a full installation can do. `GET /v1/query/formats/{operation}` tells what yours can. Every step behind this',
    'list is run on a real file by the tests.',
    '',
  ]
  for (const does of OPERATIONS) {
    const inputs = catalog.inputs(does)
    if (inputs.length === 0) continue
    lines.push(`## ${does}`, '', '| from | to |', '|---|---|')
    for (const ext of inputs) lines.push(`| ${ext} (${FORMATS[ext].title}) | ${catalog.outputs(does, ext).join(' ')} |`)
    lines.push('')
  }
  return lines.join('\n')
}

const document = openApi()
const types = astToString(await openapiTS(document as unknown as OpenAPI3))
const files = {
  'docs/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'docs/formats.md': formatsPage(),
  'docs/cli.md': cliPage(COMMANDS),
  'cli/man/reforge.1': manPage(COMMANDS),
  'sdk/src/api.gen.ts': `// Generated from docs/openapi.json by \`npm run generate\`.\n${types}`,
}

const outdated: string[] = []
for (const [name, text] of Object.entries(files)) {
  const path = join(root, name)
  const now = await readFile(path, 'utf8').catch(() => '')
  if (now === text) continue
  outdated.push(name)
  if (!process.argv.includes('--check')) await writeFile(path, text)
}
if (outdated.length && process.argv.includes('--check')) {
  console.error(`Out of date: ${outdated.join(', ')}. Run npm run generate.`)
  process.exitCode = 1
} else console.error(outdated.length ? `Wrote ${outdated.join(', ')}.` : 'Everything generated is up to date.')
