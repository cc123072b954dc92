/**
 * Who may import whom. ROOMS is the import table of ARCHITECTURE.md; everything else follows from it or names a rule
 * that deserves its own sentence. scripts/import-rules.test.ts tries every pair.
 */

/** `types` may be imported with `import type` only. */
const ROOMS = {
  core: { may: [] },
  ports: { may: ['core'] },
  catalog: { may: ['core'], types: ['ports'] },
  engines: { may: ['catalog', 'core'], types: ['ports'] },
  operations: { may: ['catalog', 'core', 'net', 'connectors'], types: ['ports'] },
  store: { may: ['ports', 'core'] },
  queue: { may: ['ports', 'core'] },
  blobs: { may: ['ports', 'core'] },
  bus: { may: ['ports', 'core'] },
  sandbox: { may: ['ports', 'core'] },
  net: { may: ['ports', 'core'] },
  connectors: { may: ['core', 'net'], types: ['ports'] },
  runner: { may: ['operations', 'catalog', 'core', 'ports'] },
  notify: { may: ['core', 'ports'] },
  http: { may: ['operations', 'catalog', 'core', 'ports'] },
}

const IMPLEMENTATIONS = ['store', 'queue', 'blobs', 'bus', 'sandbox', 'engines']
const TESTS = '\\.test\\.ts$|^(server|sdk|cli|web)/(test|bench)/'
const INPUT_OUTPUT =
  '^(node:)?(fs|fs/promises|net|tls|dgram|dns|dns/promises|http|http2|https|child_process|worker_threads|cluster|sqlite)$'

const room = (...names) => `^server/src/(${names.join('|')})/`
const FREE = '^server/src/(main|compose|compose-[a-z]*)\\.ts$'

const roomRules = Object.entries(ROOMS).flatMap(([name, { may, types = [] }]) => [
  {
    name: `room-${name}`,
    comment: `${name} may import: ${[...may, ...types.map((type) => `${type} (types)`)].join(', ') || 'nothing of ours'}.`,
    severity: 'error',
    from: { path: room(name), pathNot: TESTS },
    to: { path: '^(server|sdk|cli|web|scripts)/', pathNot: room(name, ...may, ...types) },
  },
  ...types.map((type) => ({
    name: `room-${name}-${type}-types`,
    comment: `${name} may import only types from ${type}: use import type.`,
    severity: 'error',
    from: { path: room(name), pathNot: TESTS },
    to: { path: room(type), dependencyTypesNot: ['type-only'] },
  })),
])

module.exports = {
  forbidden: [
    ...roomRules,
    {
      name: 'known-rooms',
      comment: 'A new room needs a row in the import table.',
      severity: 'error',
      from: { path: '^server/src/[^/]+/', pathNot: [room(...Object.keys(ROOMS)), TESTS] },
      to: {},
    },
    {
      name: 'config-alone',
      comment: 'config.ts turns the environment into values; it may import core and the types of ports.',
      severity: 'error',
      from: { path: '^server/src/config\\.ts$' },
      to: { path: '^(server|sdk|cli|web|scripts)/', pathNot: room('core', 'ports') },
    },
    {
      name: 'only-compose-names-implementations',
      comment: 'Ask for the port; compose.ts passes the implementation in.',
      severity: 'error',
      from: { path: '^server/src/([^/]+)', pathNot: [FREE, TESTS] },
      to: { path: room(...IMPLEMENTATIONS), pathNot: '^server/src/$1/' },
    },
    {
      name: 'http-never-meets-runner',
      comment: 'They share records, not code: the API and the workers must be able to run on different machines.',
      severity: 'error',
      from: { path: room('http') },
      to: { path: room('runner'), reachable: true },
    },
    {
      name: 'runner-never-meets-http',
      comment: 'They share records, not code: the API and the workers must be able to run on different machines.',
      severity: 'error',
      from: { path: room('runner') },
      to: { path: room('http'), reachable: true },
    },
    {
      name: 'pure-rooms',
      comment: 'core and catalog are pure: no files, sockets, processes or databases.',
      severity: 'error',
      from: { path: room('core', 'catalog'), pathNot: TESTS },
      to: { path: INPUT_OUTPUT },
    },
    {
      name: 'server-alone',
      comment: 'The server knows nothing of its clients.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: TESTS },
      to: { path: '^(sdk|cli|web|scripts)/' },
    },
    {
      name: 'sdk-alone',
      comment: 'The SDK stands on the API alone.',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: TESTS },
      to: { path: '^(server|cli|web|scripts)/' },
    },
    {
      name: 'clients-use-the-sdk',
      comment: 'cli and web reach the server through the SDK. The cli may start a server, not import it.',
      severity: 'error',
      from: { path: '^(cli|web)/src/', pathNot: TESTS },
      to: { path: '^(server|sdk|cli|web|scripts)/', pathNot: ['^$1/', '^sdk/src/(index|node)\\.ts$'] },
    },
    {
      name: 'no-tests-in-production',
      comment: 'What runs does not import what tests it.',
      severity: 'error',
      from: { path: '^(server|sdk|cli|web)/src/', pathNot: TESTS },
      to: { path: TESTS },
    },
    { name: 'no-circular', comment: 'A cycle has no beginning.', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolved',
      comment: 'The file or package imported is not there.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|fixtures)/' },
    // Sees `import type` as well: a room is not entered by types either.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.svelte', '.vue'],
    },
  },
}
