/** Files over SFTP, against Debian's sshd. */
import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { noPasswords, noSshd } from '../peers/sshd.ts'
import type { Shown } from '../support/steps.ts'
import { until } from '../support/until.ts'
import { type Field, noiseOf, ODD_NAMES } from './field.ts'

const BIG = 20 * 2 ** 20

export function sftpSuite(field: Field): void {
  describe('sftp', { concurrency: 1, skip: noSshd }, () => {
    const { sshd, sshdCut, steps, server } = field
    const access = { host: '127.0.0.1', port: sshd?.port, username: sshd?.user, private_key: sshd?.key }
    const at = (...path: string[]) => join(sshd.home, ...path)
    const failure = async (what: object, code: string, says: RegExp) => {
      const task = await steps.run('import/sftp', { ...access, file_string: at('plain.txt'), ...what })
      assert.equal(task.result.errorCode, code, JSON.stringify(task.result))
      assert.match(task.result.msg, says)
    }

    before(async () => {
      await mkdir(at('odd/deep/er'), { recursive: true })
      for (const name of ODD_NAMES) await writeFile(at('odd', name), name)
      await writeFile(at('plain.txt'), 'hello')
      await writeFile(at('big.bin'), noiseOf(BIG))
    })

    test('files with any name go in and out, and folders are made', async () => {
      for (const name of ODD_NAMES) {
        const from = { ...access, port: String(sshd.port), file_string: at('odd', name) }
        const { id, result } = await steps.done('import/sftp', from)
        assert.equal((await steps.download(result.url)).toString(), name)
        const sent = await steps.done('export/sftp', { ...access, input: id, file_string: at('copy', name) })
        assert.deepEqual([sent.result.host, sent.result.file_string], ['127.0.0.1', at('copy', name)])
        assert.equal(await readFile(at('copy', name), 'utf8'), name)
      }
    })

    test('a file that is there is replaced, and nothing else is left in the folder', async () => {
      const source = await steps.imported(Buffer.from('new'), 'a.txt')
      await mkdir(at('own'))
      await writeFile(at('own/a.txt'), 'old and longer')
      await steps.done('export/sftp', { ...access, input: source.id, path: at('own') })
      assert.equal(await readFile(at('own/a.txt'), 'utf8'), 'new')
      assert.deepEqual(await readdir(at('own')), ['a.txt'])
    })

    test('a locked key needs its passphrase', async () => {
      const locked = { private_key: sshd.lockedKey }
      const open = { ...access, ...locked, passphrase: sshd.passphrase, file_string: at('plain.txt') }
      await steps.done('import/sftp', open)
      field.secrets.add('planted-wrong-phrase')
      await failure(locked, 'invalid_credentials', /passphrase/)
      await failure({ ...locked, passphrase: 'planted-wrong-phrase' }, 'invalid_credentials', /passphrase/)
    })

    test('a password does, where the server takes one', { skip: noPasswords }, async () => {
      const { user = '', password = '' } = sshd.withPassword ?? {}
      const login = { host: '127.0.0.1', port: sshd.port, username: user, password }
      const { id } = await steps.done('import/sftp', { ...login, file_string: at('plain.txt') })
      await steps.done('export/sftp', { ...login, input: id, file_string: 'mine.txt' })
      assert.equal(await readFile(join(sshd.home, '../guest/mine.txt'), 'utf8'), 'hello')
      field.secrets.add('planted-wrong-password')
      const wrong = { ...login, private_key: undefined, password: 'planted-wrong-password' }
      await failure(wrong, 'invalid_credentials', new RegExp(`credentials of ${user}`))
      await mkdir(at('closed'))
      await chmod(at('closed'), 0o755)
      const closed = { ...login, input: id, path: at('closed') }
      assert.equal((await steps.run('export/sftp', closed)).result.errorCode, 'insufficient_permission')
    })

    test('a key that the server does not know, and what is no key, are invalid credentials', async () => {
      field.secrets.add('planted-no-key')
      await failure({ private_key: 'planted-no-key' }, 'invalid_credentials', /not a private key/)
      await failure({ username: 'nobody-here' }, 'invalid_credentials', /credentials of nobody-here/)
    })

    test('the host key may be pinned by fingerprint or as it is; another one ends it before anything is sent', async () => {
      for (const host_key of [sshd.fingerprint, sshd.hostKey, `127.0.0.1 ${sshd.hostKey}`])
        await steps.done('import/sftp', { ...access, host_key, file_string: at('plain.txt') })
      const other = `SHA256:${'A'.repeat(43)}`
      await failure({ host_key: other }, 'processing_failed', /another host key.*SHA256:/)
    })

    test('a missing file, a folder and a server that is not there are told', async () => {
      await failure({ file_string: at('gone.txt') }, 'processing_failed', /gone\.txt" on 127\.0\.0\.1 does not exist/)
      await failure({ file_string: at('odd') }, 'processing_failed', /is a folder/)
      await failure({ port: 1 }, 'processing_failed', /127\.0\.0\.1/)
    })

    test('an empty file goes in and out', async () => {
      await writeFile(at('empty.txt'), '')
      const { id, result } = await steps.done('import/sftp', { ...access, file_string: at('empty.txt') })
      assert.equal(result.size, 0)
      await steps.done('export/sftp', { ...access, input: id, path: `${at('copy')}/` })
      assert.equal((await readFile(at('copy/empty.txt'))).length, 0)
    })

    test('a connection that breaks again and again changes no byte, neither in nor out', async () => {
      const through = { ...access, port: sshdCut.port }
      sshdCut.cut(6 * 2 ** 20, 3)
      const brought = await steps.done('import/sftp', { ...through, file_string: at('big.bin') })
      assert.equal(sshdCut.cuts(), 3, 'it was cut')
      assert.ok((await steps.download(brought.result.url)).equals(noiseOf(BIG)))
      sshdCut.cut(6 * 2 ** 20, 2, 'up')
      await steps.done('export/sftp', { ...through, input: brought.id, path: at('cut') })
      assert.equal(sshdCut.cuts(), 5, 'it was cut')
      assert.ok((await readFile(at('cut/big.bin'))).equals(noiseOf(BIG)))
      assert.deepEqual(await readdir(at('cut')), ['big.bin'])
    })

    test('a server that goes away for good leaves a failed task and no file under the name', async () => {
      const brought = await steps.done('import/sftp', { ...access, file_string: at('big.bin') })
      sshdCut.cut(4 * 2 ** 20, 1000, 'up')
      const aim = { ...access, port: sshdCut.port, input: brought.id, file_string: at('gone/half.bin') }
      const { result } = await steps.run('export/sftp', aim)
      sshdCut.cut(0, 0)
      assert.equal(result.errorCode, 'processing_failed')
      assert.match(result.msg, /127\.0\.0\.1/)
      assert.equal((await readdir(at('gone'))).includes('half.bin'), false)
    })

    test('a canceled export leaves nothing behind', async () => {
      await mkdir(at('stopped'))
      const files = await Promise.all(
        [1, 2, 3].map(() => steps.done('import/sftp', { ...access, file_string: at('big.bin') })),
      )
      const input = files.map(({ id }) => id)
      const task = await steps.create('export/sftp', { ...access, input, path: at('stopped') })
      await until(async () => (await readdir(at('stopped'))).length > 0, 'something is written')
      const { json } = await server.call('POST', `/v1/process/tasks/${task.id}/cancel`)
      const parts = async () => (await readdir(at('stopped'))).filter((name) => name.startsWith('.'))
      await until(async () => (await parts()).length === 0, 'what was half written is gone')
      // Whatever is there is whole, also where the task was quicker than its end.
      for (const name of await readdir(at('stopped')))
        assert.ok((await readFile(at('stopped', name))).equals(noiseOf(BIG)), `${name} ${json.status}`)
    })

    test('host and port may be text or numbers; what cannot be meant is told with its path', async () => {
      const paths = async (body: object) => {
        const { status, json } = await server.call('POST', '/v1/process/import/sftp', body)
        assert.equal(status, 400)
        return json.errors.map(({ path }: Shown) => path)
      }
      const { private_key: _, ...nobody } = access
      assert.deepEqual(await paths({ ...nobody, file_string: 'a' }), ['password'])
      assert.deepEqual(await paths({ ...access, port: 'ssh', file_string: 'a' }), ['port'])
      assert.deepEqual(await paths({ ...access, host: 'a/b', port: 70_000, file_string: 'a' }), ['host', 'port'])
      assert.deepEqual(await paths({ ...access, host_key: 'nonsense', file_string: 'a' }), ['host_key'])
      // 2130706433 is 127.0.0.1 written as one number.
      const { id } = await steps.create('import/sftp', { ...access, host: 2130706433, file_string: at('plain.txt') })
      assert.match((await steps.ended('tasks', id)).status, /completed|failed/)
    })
  })
}
