/** What every sandbox must do, proven on a real one. `isolates: false` leaves out the attacks, or expects them to work. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Sandbox } from '../../src/ports/sandbox.ts'
import { openOutput } from '../../src/sandbox/outputs.ts'
import { isolationContract } from './sandbox-isolation.ts'
import { limitsContract } from './sandbox-limits.ts'
import { residentContract } from './sandbox-resident.ts'
import { createYard, type Here, type Yard } from './sandbox-yard.ts'

export interface ContractOptions {
  /** False for the sandbox that is none. */
  isolates: boolean
  /** Leaves out the programs that take too much, where they have been tried on nearly the same sandbox. */
  limits?: false
}

export type OpenSandbox = (scratch: string) => Promise<Sandbox>

export function sandboxContract(name: string, open: OpenSandbox, options: ContractOptions): void {
  // At once: most of them wait, and boxes that disturb each other would be a finding.
  describe(`${name} keeps the contract of a sandbox`, { concurrency: 4 }, () => {
    let yard: Yard
    let sandbox: Sandbox
    before(async () => {
      yard = await createYard()
      sandbox = await open(join(yard.root, 'scratch'))
    })
    after(async () => {
      await sandbox?.close()
      await yard?.remove()
    })
    const here = (): Here => ({
      open: () => open(join(yard.root, 'scratch')),
      sandbox,
      yard,
      isolates: options.isolates,
    })

    test('A program runs in its work folder, and its words and exit code come back', async () => {
      const work = await yard.folder()
      const script = 'echo out; echo err >&2; echo made > made.txt; exit 7'
      const result = await sandbox.run({ command: ['/bin/sh', '-c', script], work })
      assert.deepEqual(result, { code: 7, signal: null, ended: null, stdout: 'out\n', stderr: 'err\n' })
      assert.equal(await readFile(join(work, 'made.txt'), 'utf8'), 'made\n')
    })

    test('A program that dies of a signal says which', async () => {
      const result = await sandbox.run({ command: ['/bin/sh', '-c', 'kill -SEGV $$'] })
      assert.deepEqual([result.code, result.signal, result.ended], [null, 'SIGSEGV', null])
    })

    test('Paths inside go through `at`, in arguments and in variables', async () => {
      const [work, input, shared] = [await yard.folder(), await yard.folder(), await yard.folder()]
      await writeFile(join(input, 'stored'), 'the input')
      const result = await sandbox.run({
        command: (at) => [
          '/bin/sh',
          '-c',
          'cat "$1" "$FROM" > "$2" && cp "$2" "$3" && echo t > "$4"',
          'sh',
          ...['/in/a.txt', '/work/sub/out.txt', '/shared/out.txt', '/tmp/t.txt'].map(at),
        ],
        env: (at) => ({ FROM: at('/in/a.txt') }),
        work: await mkdir(join(work, 'sub')).then(() => work),
        readOnly: { '/in/a.txt': join(input, 'stored') },
        writable: { '/shared': shared },
      })
      assert.deepEqual([result.code, result.stderr], [0, ''])
      assert.equal(await readFile(join(shared, 'out.txt'), 'utf8'), 'the inputthe input')
    })

    test('Only the variables given are set', async () => {
      const result = await sandbox.run({ command: ['/usr/bin/env'], env: { GIVEN: 'a b\nc' } })
      const names = new Set(result.stdout.match(/^[A-Z_]+(?==)/gm))
      // Where it stands is no secret.
      assert.deepEqual([...names].filter((name) => name !== 'PWD').sort(), ['GIVEN', 'HOME', 'LANG', 'PATH', 'TMPDIR'])
      assert.match(result.stdout, /^GIVEN=a b\nc$/m)
    })

    test('A variable with a NUL cannot smuggle in an argument', async () => {
      await assert.rejects(sandbox.run({ command: ['/bin/true'], env: { A: 'b\0--bind\0/\0/host' } }))
    })

    test('A program that is not there is a failed run, or an error, never a success', async () => {
      const result = await sandbox.run({ command: ['/usr/bin/no-such-program'] })
      assert.notEqual(result.code, 0)
      assert.equal(result.ended, null)
    })

    test('Output is seen while it comes, cut nowhere within a character', async () => {
      const pieces: string[] = []
      const script = "printf 'a\\303'; sleep 0.1; printf '\\244b'"
      await sandbox.run({ command: ['/bin/sh', '-c', script] }, { onOutput: (text) => pieces.push(text) })
      assert.equal(pieces.join(''), 'aäb')
    })

    test('Node runs in the strict box', async () => {
      const result = await sandbox.run({
        command: ['/opt/node', '-e', 'new worker_threads.Worker("console.log(6 * 7)", { eval: true })'],
        readOnly: { '/opt/node': process.execPath },
        limits: { addressSpace: null, processes: 64 },
      })
      assert.deepEqual([result.code, result.stdout, result.stderr], [0, '42\n', ''])
    })

    test('A link, a second name or a folder left as output is refused', async () => {
      const work = await yard.folder()
      const script = `ln -s ${yard.canaryFile} link.pdf; echo x > one.pdf; ln one.pdf two.pdf; mkdir folder.pdf; echo ok > good.pdf`
      await sandbox.run({ command: ['/bin/sh', '-c', script], work })
      for (const bad of ['link.pdf', 'one.pdf', 'two.pdf', 'folder.pdf', 'missing.pdf']) {
        await assert.rejects(openOutput(work, bad), { name: 'Failure', errorCode: 'processing_failed' }, bad)
      }
      assert.equal((await openOutput(work, 'good.pdf')).size, 3)
    })

    isolationContract(here)
    if (options.limits !== false) limitsContract(here)
    residentContract(here)
  })
}
