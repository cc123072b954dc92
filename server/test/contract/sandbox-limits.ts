/** Programs that take too much, or will not go. Each is ended for the right reason, and others go on meanwhile. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BoxResult, BoxSpec, Limits } from '../../src/ports/sandbox.ts'
import { type Here, mark, running } from './sandbox-yard.ts'

const MB = 2 ** 20
const HOG = 'const kept = []; setInterval(() => kept.push(Buffer.alloc(4 * 2 ** 20, 1)), 5)'

const FLEE = (marked: string): string =>
  `setsid sleep ${marked} & (setsid sh -c 'sleep ${marked} & sleep ${marked}' > /dev/null 2>&1 < /dev/null &);`

export function limitsContract(here: () => Here): void {
  const shell = async (script: string, limits: Partial<Limits>): Promise<BoxResult> => {
    const { sandbox, yard } = here()
    // A wall far away, so that a limit that does not work fails the test instead of hanging it.
    const spec: BoxSpec = {
      command: ['/bin/sh', '-c', script],
      work: await yard.folder(),
      limits: { wall: 30_000, ...limits },
    }
    const [result, neighbour] = await Promise.all([sandbox.run(spec), sandbox.run({ command: ['/bin/echo', 'fine'] })])
    assert.equal(neighbour.stdout, 'fine\n')
    return result
  }

  test('An endless loop ends as cpu', async () => {
    assert.equal((await shell('while :; do :; done', { cpu: 1 })).ended, 'cpu')
  })

  test('Loops spread over processes are counted together', async () => {
    const loop = '(while :; do :; done) &'
    assert.equal((await shell(`${loop} ${loop} ${loop} wait`, { cpu: 2 })).ended, 'cpu')
  })

  test('Too much memory ends as memory', async () => {
    const { sandbox } = here()
    const result = await sandbox.run({
      command: ['/opt/node', '-e', HOG],
      readOnly: { '/opt/node': process.execPath },
      limits: { memory: 160 * MB, addressSpace: null, wall: 30_000 },
    })
    assert.equal(result.ended, 'memory')
  })

  test('Too many bytes in many files end as disk', async () => {
    const script = 'i=0; while :; do i=$((i+1)); head -c 4194304 /dev/zero > file$i; sleep 0.01; done'
    assert.equal((await shell(script, { disk: 16 * MB })).ended, 'disk')
  })

  test('Too many bytes in a file that was deleted but is still open end as disk', async () => {
    const script = 'exec 3> file; rm file; while :; do head -c 4194304 /dev/zero >&3; sleep 0.01; done'
    assert.equal((await shell(script, { disk: 16 * MB })).ended, 'disk')
  })

  test('One file that grows too long ends as disk', async () => {
    assert.equal((await shell('exec head -c 4194304 /dev/zero > file', { file: MB })).ended, 'disk')
  })

  test('/tmp holds no more than allowed', async () => {
    const script =
      'i=0; while :; do i=$((i+1)); head -c 1048576 /dev/zero > "$TMPDIR/file$i" || exit 9; sleep 0.01; done'
    const result = await shell(script, { tmp: 8 * MB })
    assert.ok(result.ended === 'disk' || result.code === 9, JSON.stringify(result))
  })

  test('A flood of output ends as output, and what fits is kept', async () => {
    const result = await shell('exec yes', { output: 65_536 })
    assert.deepEqual([result.ended, result.stdout.length], ['output', 65_536])
  })

  test('A flood of errors is cut to its end', async () => {
    const result = await shell('head -c 1000000 /dev/zero | tr "\\0" x >&2; echo last words >&2', {})
    assert.deepEqual([result.code, result.stderr.length], [0, 65_536])
    assert.match(result.stderr, /last words\n$/)
  })

  test('A fork bomb gets no more processes than allowed, and leaves none', async (t) => {
    if (!here().isolates) return t.skip('the kernel does not count the processes of root')
    const marked = mark()
    const counted = await shell(`i=0; while [ $i -lt 200 ]; do sleep ${marked} & i=$((i+1)); echo $i; done`, {
      processes: 30,
    })
    const started = Number(counted.stdout.trim().split('\n').at(-1))
    assert.ok(started > 10 && started < 30, `${started} started`)
    assert.match(counted.stderr, /fork/i)
    const bomb = await shell(`b() { b | b & }; b; exec sleep ${marked}`, { processes: 30, wall: 1000 })
    assert.ok(bomb.ended === 'wall' || bomb.code !== 0)
    assert.equal(await running(marked), 0)
  })

  test('After the time is up nothing runs any more, daemons included', async () => {
    const marked = mark()
    const script = `trap '' TERM INT HUP; ${here().isolates ? FLEE(marked) : ''} sleep ${marked} & sleep ${marked}`
    assert.equal((await shell(script, { wall: 500 })).ended, 'wall')
    assert.equal(await running(marked), 0)
  })

  test('After a cancel nothing runs any more', async () => {
    const { sandbox } = here()
    const marked = mark()
    const controller = new AbortController()
    const script = `sleep ${marked} & echo ready; sleep ${marked}`
    const ready = { signal: controller.signal, onOutput: () => controller.abort() }
    assert.equal((await sandbox.run({ command: ['/bin/sh', '-c', script] }, ready)).ended, 'canceled')
    assert.equal(await running(marked), 0)
  })

  test('A cancel before or right at the start is one too', async () => {
    const { sandbox } = here()
    const marked = mark()
    const command = ['/bin/sleep', marked] as const
    assert.equal((await sandbox.run({ command }, { signal: AbortSignal.abort() })).ended, 'canceled')
    for (const delay of [0, 1, 2, 4, 8]) {
      const signal = AbortSignal.timeout(delay)
      assert.equal((await sandbox.run({ command }, { signal })).ended, 'canceled')
    }
    assert.equal(await running(marked), 0)
  })

  test('What a program leaves in the background ends with it', async () => {
    const marked = mark()
    const result = await shell(`sleep ${marked} & echo bye`, {})
    assert.deepEqual([result.code, result.stdout, result.ended], [0, 'bye\n', null])
    assert.equal(await running(marked), 0)
  })
}
