import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { diagnosis, type Findings } from './doctor-text.ts'

const findings: Findings = {
  client: { version: '1.2.3', node: 'v24.7.0' },
  server: { url: 'https://localhost:8443', certificate: null },
  account: { accepted: true, email: 'you@example.org' },
  health: {
    status: 'ok',
    version: '1.2.3',
    sandbox: { kind: 'bubblewrap' },
    engines: [
      { id: 'a', title: 'Sharp', ready: true, missing: [] },
      { id: 'b', title: 'Potrace', ready: false, missing: [{ program: 'potrace', debian: 'potrace' }] },
    ],
    disk: { free: 5e9 },
    queue: {},
    tasks: {},
  },
  setup: ['potrace'],
}
const told = (found: Findings) => stripVTControlCharacters(diagnosis(found, process.stdout)).trimEnd().split('\n')

test('what is missing is told with what would bring it', () => {
  assert.deepEqual(told(findings), [
    '✓ reforge      1.2.3 on Node 24.7.0',
    '✓ server       https://localhost:8443  1.2.3  ok',
    '✓ certificate  trusted by this machine',
    '✓ key          accepted, you@example.org',
    '✓ sandbox      bubblewrap',
    '✓ disk         5.0 GB free',
    '! engines      1 of 2 ready',
    '✗              Potrace lacks potrace: apt-get install potrace',
    '! setup        npm run setup would bring potrace',
  ])
})

test('a server that does not answer leaves the machine to look at', () => {
  const { health: _health, account: _account, ...rest } = findings
  const away: Findings = { ...rest, server: { ...rest.server, error: { message: 'It cannot be reached.' } } }
  assert.deepEqual(told(away).slice(1), [
    '✗ server   It cannot be reached.',
    '! setup    npm run setup would bring potrace',
  ])
})
