import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sandboxContract } from '../../test/contract/sandbox.ts'
import { landlockOrders, openLandlock } from './landlock.ts'
import { RUN_LIMITS } from './limits.ts'

const dir = mkdtempSync(join(tmpdir(), 'reforge-landlock-'))
chmodSync(dir, 0o755)
after(() => rmSync(dir, { recursive: true, force: true }))

const helper = build()
if (helper === null)
  test('Landlock keeps the contract of a sandbox', { skip: 'no C compiler, or a kernel without Landlock' }, () => {})
else proveLandlock(helper)

function proveLandlock(helper: string): void {
  sandboxContract('Landlock', (scratch) => openLandlock({ helper, scratch }), { isolates: true })
  const oldest = { isolates: true, limits: false } as const
  sandboxContract('Landlock of the first version', (scratch) => openLandlock({ helper, scratch, abi: 1 }), oldest)

  test('The helper starts nothing when an order is wrong, a path missing or the filter empty', () => {
    const tries = [
      'run\\0/bin/echo\\0',
      'jump\\0run\\0/bin/echo\\0',
      'read\\0/no/such\\0run\\0/bin/echo\\0',
      'user\\0',
      '',
    ]
    for (const orders of tries) {
      const script = `printf '${orders}' | ${helper} 3 0 3< /dev/null; echo $?`
      const output = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      assert.equal(output, '125\n', orders)
    }
  })
}

test('The helper is told what may be read and written, the limits, the user, and last what to run', () => {
  const folder = {
    tmp: '/s/tmp',
    work: '/t/1',
    folders: ['/t/1'],
    command: ['/bin/x', '-y'] as const,
    env: { A: 'b c' },
  }
  const limits = { ...RUN_LIMITS, cpu: Infinity, addressSpace: null }
  const orders = landlockOrders({
    spec: { readOnly: { '/in/a': '/blobs/a' } },
    folder,
    limits,
    readable: ['/usr'],
    uid: 60_600,
    others: 5,
  })
  assert.deepEqual(orders, [
    ...['read', '/usr', 'read', '/t/1', 'read', '/blobs/a'],
    ...['write', '/dev/null', 'write', '/s/tmp', 'write', '/t/1', 'socket', '/tmp'],
    ...['limit', 'cpu', 'unlimited', 'unlimited', 'limit', 'as', 'unlimited', 'unlimited'],
    ...['limit', 'fsize', '1073741824', '1073741824', 'limit', 'nproc', '133', '133'],
    ...['limit', 'nofile', '1024', '1024', 'limit', 'core', '0', '0'],
    ...['user', '60600', 'cd', '/t/1', 'env', 'A=b c', 'run', '/bin/x', '-y'],
  ])
})

function build(): string | null {
  if (!existsSync('/usr/bin/cc')) return null
  const path = join(dir, 'landlock-box')
  const source = join(import.meta.dirname, '../../native/landlock-box.c')
  execFileSync('/usr/bin/cc', ['-O2', '-Wall', '-Werror', '-o', path, source])
  const script = `printf 'run\\0/bin/true\\0' | ${path} 3 0 3< /dev/null 2>&1 || true`
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).includes('Landlock') ? null : path
}
