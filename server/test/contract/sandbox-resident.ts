/** Programs that stay. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { type Here, mark, running } from './sandbox-yard.ts'

const ECHO = 'process.stdin.pipe(process.stdout)'

export function residentContract(here: () => Here): void {
  test('A resident answers over its streams until it is killed', async () => {
    const { sandbox } = here()
    const resident = await sandbox.start({
      command: ['/opt/node', '-e', ECHO],
      readOnly: { '/opt/node': process.execPath },
      limits: { addressSpace: null, processes: 64 },
    })
    for (const word of ['first', 'second']) {
      resident.stdin.write(word)
      const early = resident.gone.then((how) => assert.fail(`gone too early: ${how.stderr}`))
      const [answer] = await Promise.race([once(resident.stdout, 'data'), early])
      assert.equal(String(answer), word)
      early.catch(() => {})
    }
    const held = await resident.memory()
    assert.ok(held !== null && held > 2 ** 20, String(held))
    resident.kill()
    const gone = await resident.gone
    assert.deepEqual([gone.ended, gone.code], ['canceled', null])
    assert.equal(await resident.memory(), null)
  })

  test('A resident that goes by itself says how, and writing to it then does no harm', async () => {
    const { sandbox } = here()
    const resident = await sandbox.start({ command: ['/bin/sh', '-c', 'read line; echo "got $line" >&2; exit 3'] })
    resident.stdin.write('it\n')
    const gone = await resident.gone
    assert.deepEqual(gone, { code: 3, signal: null, ended: null, stdout: '', stderr: 'got it\n' })
    resident.stdin.write('more\n')
    resident.kill()
  })

  test('A resident keeps to its limits as others do', async () => {
    const { sandbox } = here()
    const resident = await sandbox.start({ command: ['/bin/sleep', mark()], limits: { wall: 200 } })
    assert.equal((await resident.gone).ended, 'wall')
  })

  test('Closing the sandbox ends all residents and takes no more', async () => {
    const sandbox = await here().open()
    const marked = mark()
    const resident = await sandbox.start({ command: ['/bin/sh', '-c', `sleep ${marked} & sleep ${marked}`] })
    await sandbox.close()
    assert.equal((await resident.gone).ended, 'canceled')
    assert.equal(await running(marked), 0)
    await assert.rejects(sandbox.run({ command: ['/bin/true'] }), /closed/)
  })
}
