/** Tries the import rules on a made-up tree: every room against every room, then each further rule by one offender. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { after, test } from 'node:test'
import { cruise, type IConfiguration, type ICruiseResult } from 'dependency-cruiser'

const rules: IConfiguration = createRequire(import.meta.url)('../.dependency-cruiser.cjs')
const trees: string[] = []
after(() => {
  for (const tree of trees) rmSync(tree, { recursive: true })
})

/** ARCHITECTURE.md's table, spelled a second time on purpose. `ports:type` allows `import type` only. */
const TABLE: Record<string, string> = {
  core: '',
  ports: 'core',
  catalog: 'core ports:type',
  engines: 'catalog core ports:type',
  operations: 'catalog core ports:type net connectors',
  store: 'ports core',
  queue: 'ports core',
  blobs: 'ports core',
  bus: 'ports core',
  sandbox: 'ports core',
  net: 'ports core',
  connectors: 'core ports:type net',
  runner: 'operations catalog core ports',
  notify: 'core ports',
  http: 'operations catalog core ports',
}
const ROOMS = Object.keys(TABLE)

interface Import {
  from: string
  to: string
  type?: boolean
}

/** Writes a tree with these imports and answers the names of the rules broken, by `from → to`. */
async function judge(imports: readonly Import[]): Promise<Map<string, string[]>> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'reforge-rules-')))
  trees.push(root)
  const files = new Map<string, string>()
  for (const { from, to, type } of imports) {
    if (/^[\w-]+\//.test(to)) files.set(to, files.get(to) ?? 'export const value = 1\nexport type Value = number\n')
    const target = files.has(to) ? relativeImport(from, to) : to
    const line = type ? `export type { Value as V${files.size} } from '${target}'` : `import '${target}'`
    files.set(from, `${files.get(from) ?? 'export const value = 1\nexport type Value = number\n'}${line}\n`)
  }
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  mkdirSync(join(root, 'sdk/src'), { recursive: true })
  mkdirSync(join(root, 'node_modules/@reforge'), { recursive: true })
  writeFileSync(join(root, 'sdk/package.json'), '{"name":"@reforge/sdk","type":"module","exports":"./src/index.ts"}')
  writeFileSync(join(root, 'sdk/src/index.ts'), 'export const value = 1\n')
  symlinkSync('../../sdk', join(root, 'node_modules/@reforge/sdk'))

  const folders = [...new Set([...files.keys()].map((path) => path.split('/')[0] ?? ''))]
  const options = { ...rules.options, baseDir: root, validate: true, ruleSet: rules }
  const { output } = await cruise(folders, options)
  const found = new Map<string, string[]>()
  for (const { from, to, rule } of (output as ICruiseResult).summary.violations) {
    const pair = `${from} → ${to}`
    found.set(pair, [...(found.get(pair) ?? []), rule.name])
  }
  return found
}

function relativeImport(from: string, to: string): string {
  const path = relative(dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

test('a room imports exactly the rooms of the table', async () => {
  const imports = ROOMS.flatMap((room) =>
    ROOMS.filter((other) => other !== room).flatMap((other) => [
      { from: `server/src/${room}/value-of-${other}.ts`, to: `server/src/${other}/end.ts` },
      { from: `server/src/${room}/type-of-${other}.ts`, to: `server/src/${other}/end.ts`, type: true },
    ]),
  )
  const broken = await judge(imports)
  for (const { from, to } of imports) {
    const [, , room = '', file = ''] = from.split('/')
    const other = to.split('/')[2] ?? ''
    const allowed = TABLE[room]?.split(' ') ?? []
    const fine = allowed.includes(other) || (file.startsWith('type') && allowed.includes(`${other}:type`))
    assert.equal(!broken.has(`${from} → ${to}`), fine, `${from} → ${to}: ${broken.get(`${from} → ${to}`)}`)
  }
})

test('each further rule finds its offender', async () => {
  const offenders: (Import & { rule: string })[] = [
    { from: 'server/src/http/a.ts', to: 'server/src/runner/a.ts', rule: 'http-never-meets-runner' },
    { from: 'server/src/runner/b.ts', to: 'server/src/http/b.ts', rule: 'runner-never-meets-http', type: true },
    { from: 'server/src/operations/a.ts', to: 'server/src/engines/a.ts', rule: 'only-compose-names-implementations' },
    { from: 'server/src/config.ts', to: 'server/src/store/a.ts', rule: 'config-alone' },
    { from: 'server/src/http/c.ts', to: 'server/src/config.ts', rule: 'room-http' },
    { from: 'server/src/attic/a.ts', to: 'server/src/core/a.ts', rule: 'known-rooms' },
    { from: 'server/src/core/b.ts', to: 'node:fs', rule: 'pure-rooms' },
    { from: 'server/src/main.ts', to: 'cli/src/a.ts', rule: 'server-alone' },
    { from: 'sdk/src/a.ts', to: 'server/src/core/a.ts', rule: 'sdk-alone', type: true },
    { from: 'cli/src/b.ts', to: 'server/src/core/a.ts', rule: 'clients-use-the-sdk', type: true },
    { from: 'web/src/a.ts', to: 'cli/src/a.ts', rule: 'clients-use-the-sdk' },
    { from: 'web/src/b.ts', to: 'sdk/src/a.ts', rule: 'clients-use-the-sdk' },
    { from: 'server/src/core/c.ts', to: 'server/src/core/d.test.ts', rule: 'no-tests-in-production' },
    { from: 'server/src/compose.ts', to: 'server/test/support/a.ts', rule: 'no-tests-in-production' },
    { from: 'server/src/core/e.ts', to: 'server/src/core/f.ts', rule: 'no-circular' },
    { from: 'server/src/core/g.ts', to: './gone.ts', rule: 'no-unresolved' },
  ]
  // Closes the circle; a circle is reported once.
  const back = { from: 'server/src/core/f.ts', to: 'server/src/core/e.ts', type: true }
  const broken = await judge([...offenders, back])
  for (const { from, to, rule } of offenders) {
    const target = to.startsWith('node:') ? to.slice(5) : to
    assert.ok(broken.get(`${from} → ${target}`)?.includes(rule), `${rule} let ${from} → ${to} pass`)
  }
})

test('what is meant to meet may meet', async () => {
  const broken = await judge([
    ...ROOMS.map((room) => ({ from: 'server/src/compose.ts', to: `server/src/${room}/end.ts` })),
    ...ROOMS.map((room) => ({ from: `server/src/${room}/own.ts`, to: `server/src/${room}/end.ts` })),
    ...ROOMS.map((room) => ({ from: 'server/src/core/end.test.ts', to: `server/src/${room}/end.ts` })),
    { from: 'server/src/main.ts', to: 'server/src/compose.ts' },
    { from: 'server/src/main.ts', to: 'server/src/store/end.ts' },
    { from: 'server/src/compose.ts', to: 'server/src/config.ts' },
    { from: 'server/src/core/sign.ts', to: 'node:crypto' },
    { from: 'server/test/e2e/a.test.ts', to: 'server/src/main.ts' },
    { from: 'server/test/e2e/a.test.ts', to: '@reforge/sdk' },
    { from: 'server/bench/main.ts', to: 'server/src/compose.ts' },
    { from: 'cli/src/main.ts', to: '@reforge/sdk' },
    { from: 'web/src/main.ts', to: '@reforge/sdk' },
  ])
  assert.deepEqual([...broken], [])
})
