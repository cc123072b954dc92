import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sandboxContract } from '../../test/contract/sandbox.ts'
import { createYard, mark, running, type Yard } from '../../test/contract/sandbox-yard.ts'
import { until } from '../../test/support/until.ts'
import { openBubblewrap } from './bubblewrap.ts'

const isRoot = process.getuid?.() === 0

sandboxContract('bubblewrap', (scratch) => openBubblewrap({ scratch }), { isolates: true })
sandboxContract(
  'bubblewrap without control groups, started by an ordinary user',
  (scratch) => openBubblewrap({ scratch, memory: null, by: isRoot ? 'dropped' : 'user' }),
  { isolates: true },
)

describe('bubblewrap', () => {
  let yard: Yard
  before(async () => {
    yard = await createYard()
  })
  after(() => yard.remove())

  test('The folders above what is bound need not be open to others when root closes the box', async (t) => {
    if (!isRoot) return t.skip('only for root')
    const hidden = join(yard.root, 'hidden')
    await mkdir(join(hidden, 'work'), { recursive: true })
    await writeFile(join(hidden, 'in.txt'), 'input')
    await chmod(hidden, 0o700)
    await using sandbox = await disposable(join(yard.root, 'scratch'))
    const result = await sandbox.run({
      command: ['/bin/cp', '/in/in.txt', '/work/out.txt'],
      work: join(hidden, 'work'),
      readOnly: { '/in/in.txt': join(hidden, 'in.txt') },
    })
    assert.deepEqual([result.code, result.stderr], [0, ''])
  })

  test('The browser profile lets a program make namespaces of its own, still without a network', async () => {
    await using sandbox = await disposable(join(yard.root, 'scratch'))
    const command = ['/usr/bin/unshare', '-U', '/bin/sh', '-c', 'cat /proc/net/route | wc -l'] as const
    const result = await sandbox.run({ command, profile: 'browser' })
    assert.deepEqual([result.code, result.stdout, result.stderr], [0, '1\n', ''])
  })

  test('A box dies with its server, however that ends', async () => {
    const marked = mark()
    const module = JSON.stringify(join(import.meta.dirname, 'bubblewrap.ts'))
    const program = `
      const { openBubblewrap } = await import(${module})
      const sandbox = await openBubblewrap({ scratch: ${JSON.stringify(join(yard.root, 'other'))} })
      const command = ['/bin/sh', '-c', 'setsid sleep ${marked} & echo ready; sleep ${marked}']
      const { stdout } = await sandbox.start({ command })
      stdout.pipe(process.stdout)`
    const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program]
    const server = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      await once(server.stdout, 'data')
      // The shell speaks before both have become what they are.
      await until(async () => (await running(marked)) > 1, 'both run')
    } finally {
      server.kill('SIGKILL')
    }
    // The kernel tells the box at once; the limit is for a machine that is busy.
    for (let tries = 0; tries < 500 && (await running(marked)) > 0; tries++) await sleep(20)
    assert.equal(await running(marked), 0)
  })
})

async function disposable(scratch: string) {
  const sandbox = await openBubblewrap({ scratch })
  return { ...sandbox, [Symbol.asyncDispose]: () => sandbox.close() }
}
