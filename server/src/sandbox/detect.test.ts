import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { BWRAP } from './bubblewrap.ts'
import { openSandbox, openSandboxFrom } from './detect.ts'

let scratch: string
before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'reforge-detect-'))
  await chmod(scratch, 0o755)
})
after(() => rm(scratch, { recursive: true, force: true }))

const works = existsSync(BWRAP) && spawnSync(BWRAP, ['--unshare-user', '--ro-bind', '/', '/', '/bin/true']).status === 0

test('Where bubblewrap works it is taken, and nothing of the trial is left', { skip: !works }, async () => {
  const sandbox = await openSandbox({ unsafe: false, landlockHelper: null, scratch })
  assert.equal(sandbox.kind, 'bubblewrap')
  await sandbox.close()
  assert.deepEqual(await readdir(scratch), [])
})

test('The unsafe one is taken when asked for, and says so', async () => {
  const sandbox = await openSandbox({ unsafe: true, landlockHelper: null, scratch })
  assert.equal(sandbox.kind, 'none')
  await sandbox.close()
})

test('Where nothing works it refuses, says what to do, and names the switch', async () => {
  const open = async (): Promise<never> => {
    throw new Error('spawn /usr/bin/bwrap ENOENT')
  }
  const refused = openSandboxFrom([{ name: 'bubblewrap', open }], scratch)
  await assert.rejects(refused, (error: Error) => {
    for (const part of ['bubblewrap: spawn', 'apt-get install bubblewrap', 'REFORGE_UNSAFE_NO_SANDBOX=1']) {
      assert.ok(error.message.includes(part), part)
    }
    return true
  })
})

test('A box that opens but cannot write where it should is passed over, with its reason', async () => {
  const open = () => openSandbox({ unsafe: true, landlockHelper: null, scratch })
  const broken = async () => {
    const sandbox = await open()
    return { ...sandbox, run: () => sandbox.run({ command: ['/bin/sh', '-c', 'echo no entry >&2; exit 1'] }) }
  }
  await assert.rejects(openSandboxFrom([{ name: 'the broken one', open: broken }], scratch), /the broken one: no entry/)
  const second = await openSandboxFrom(
    [
      { name: 'the broken one', open: broken },
      { name: 'the next', open },
    ],
    scratch,
  )
  await second.close()
  assert.deepEqual(await readdir(scratch), [])
})
