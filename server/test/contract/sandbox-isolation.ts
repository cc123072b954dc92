/** Attacks on the walls. Against the sandbox that is none most of them must work: that shows that they are attacks. */
import assert from 'node:assert/strict'
import { access, readFile, writeFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Here } from './sandbox-yard.ts'
import { openListener, openNeighbour } from './sandbox-yard.ts'

const CALL = `
  const [port, ...hosts] = process.argv.slice(1)
  for (const host of hosts) console.log('tried', host)
  for (const host of hosts) net.connect(+port, host).on('error', () => {}).on('connect', () => console.log('reached', host))
`

export function isolationContract(here: () => Here): void {
  test('The network is out of reach, loopback and own addresses too', async () => {
    const { sandbox, isolates } = here()
    await using listener = await openListener()
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? [])
    const hosts = new Set(['127.0.0.1', '0.0.0.0', ...addresses.filter((address) => !address.includes(':'))])
    const result = await sandbox.run({
      command: ['/opt/node', '-e', CALL, String(listener.port), ...hosts],
      readOnly: { '/opt/node': process.execPath },
      limits: { addressSpace: null, wall: 20_000 },
    })
    assert.equal(result.stdout.match(/tried/g)?.length, hosts.size, result.stderr)
    assert.equal(result.stdout.includes('reached'), !isolates, result.stderr)
    assert.equal(listener.hits() > 0, !isolates)
  })

  test("A file of the host cannot be read, by no name, nor another task's", async () => {
    const { sandbox, yard, isolates } = here()
    const other = await yard.folder()
    await writeFile(join(other, 'in.txt'), yard.canary)
    const script = `for f in "$@"; do cat "$f" "/proc/self/root$f" "/proc/1/root$f" "/proc/1/cwd/../../../../..$f" ".$f"
      cp "$f" copy; ln "$f" hard; ln -s "$f" soft; cat copy hard soft; rm -f copy hard soft; done`
    const result = await sandbox.run({
      command: ['/bin/sh', '-c', script, 'sh', yard.canaryFile, join(other, 'in.txt')],
      work: await yard.folder(),
    })
    assert.equal(result.stdout.includes(yard.canary), !isolates)
  })

  test('What other processes are told and called does not show', async () => {
    const { sandbox, yard, isolates } = here()
    await using _neighbour = openNeighbour(yard.canary)
    process.env.REFORGE_TEST_CANARY = yard.canary
    const work = await yard.folder()
    const script =
      'env; for p in /proc/[0-9]*; do cat $p/environ $p/cmdline $p/task/*/environ; done 2>/dev/null | tr "\\0" "\\n"'
    const result = await sandbox.run({ command: ['/bin/sh', '-c', script], work })
    delete process.env.REFORGE_TEST_CANARY
    assert.equal(result.stdout.includes(yard.canary), !isolates)
    // Its own arguments are there to be read, so the reading itself works.
    assert.match(result.stdout, /TMPDIR/)
    if (sandbox.kind === 'bubblewrap') assert.ok(!result.stdout.includes(yard.root), 'a path of the host shows')
  })

  test('Nothing can be written but in the folders given and the private /tmp', async (t) => {
    const { sandbox, yard, isolates } = here()
    if (!isolates) return t.skip('would really write there')
    const input = await yard.folder()
    await writeFile(join(input, 'in.txt'), 'unchanged', { mode: 0o666 })
    const name = `reforge-test-${process.pid}`
    const outside = [
      ...['', '/etc', '/usr', '/usr/bin', '/dev', '/var', '/var/tmp', '/proc', '/opt', '/root'],
      yard.root,
    ]
    const script = `input=$1; shift; for f in "$@"; do (echo x > "$f"/${name}) && echo "wrote $f"; done 2>/dev/null
      (echo x > "$input") 2>/dev/null && echo wrote input; rm -f "$input" 2>/dev/null
      echo x > ${name} && echo x > "$TMPDIR/${name}" && echo x > "$HOME/${name}" && echo wrote own`
    const work = await yard.folder()
    const result = await sandbox.run({
      command: (at) => ['/bin/sh', '-c', script, 'sh', at('/in/in.txt'), ...outside],
      work,
      readOnly: { '/in/in.txt': join(input, 'in.txt') },
    })
    assert.equal(result.stdout, 'wrote own\n')
    assert.equal(await readFile(join(input, 'in.txt'), 'utf8'), 'unchanged')
    await access(join(work, name))
    for (const folder of [...outside, '/tmp', '/dev/shm']) await assert.rejects(access(join(folder, name)), folder)
  })

  test('Without a work folder there is an empty one that cannot be written', async (t) => {
    const { sandbox, isolates } = here()
    if (!isolates) return t.skip('root writes where it likes')
    const result = await sandbox.run({ command: ['/bin/sh', '-c', 'ls -A; (echo x > x) || echo refused'] })
    assert.equal(result.stdout, 'refused\n')
  })

  test('The program has no privileges and cannot get any', async (t) => {
    const { sandbox, isolates } = here()
    if (!isolates) return t.skip('it is whoever the server is')
    const script =
      'id -u; while read -r line; do echo "$line"; done < /proc/$$/status; unshare -U true; unshare -r true'
    const result = await sandbox.run({ command: ['/bin/sh', '-c', `exec 2>&1; ${script}`] })
    const status = Object.fromEntries(
      [...result.stdout.matchAll(/^(\w+):\s*(\w+)$/gm)].map(([, key, value]) => [key, value]),
    )
    assert.notEqual(result.stdout.split('\n')[0], '0')
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb']) assert.match(status[set] ?? '', /^0+$/, set)
    assert.deepEqual([status.NoNewPrivs, status.Seccomp], ['1', '2'])
    assert.equal(result.stdout.match(/unshare failed/g)?.length, 2)
  })

  test('Processes of the host cannot be ended', async (t) => {
    const { sandbox, isolates } = here()
    if (!isolates) return t.skip('they could')
    await using neighbour = openNeighbour('victim')
    const script = `kill -9 ${neighbour.pid} && echo ended; kill -0 ${neighbour.pid} && echo seen; true`
    const result = await sandbox.run({ command: ['/bin/sh', '-c', script] })
    assert.deepEqual([result.code, result.stdout, neighbour.lives()], [0, '', true])
  })
}
