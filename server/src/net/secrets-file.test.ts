import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createSigner } from '../core/sign.ts'
import { ensureSecrets } from './secrets-file.ts'

async function tempDir(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-secrets-'))
  t.after(() => rm(dir, { recursive: true }))
  return dir
}

test('the first start makes the keys, and every later one finds the same', async (t) => {
  const dir = join(await tempDir(t), 'new', 'deep')
  const first = await ensureSecrets(dir)
  assert.equal(first.master.length, 32)
  assert.equal(first.links.length, 1)
  assert.notDeepEqual(first.master, first.links[0]?.secret)
  assert.deepEqual(await ensureSecrets(dir), first)
  assert.deepEqual((await readdir(dir)).sort(), ['links.key', 'master.key'])
  for (const file of await readdir(dir)) assert.equal((await stat(join(dir, file))).mode & 0o777, 0o600)
  assert.equal((await stat(dir)).mode & 0o777, 0o700)
})

test('several that start at once agree on the keys', async (t) => {
  const dir = await tempDir(t)
  const [first, ...others] = await Promise.all(Array.from({ length: 10 }, () => ensureSecrets(dir)))
  for (const other of others) assert.deepEqual(other, first)
  assert.deepEqual((await readdir(dir)).sort(), ['links.key', 'master.key'])
})

test('a damaged file is refused by name and left alone', async (t) => {
  const dir = await tempDir(t)
  for (const bad of ['', 'short\n', `${'A'.repeat(42)}\n`, `${'A'.repeat(43)}\nx\n`]) {
    await writeFile(join(dir, 'master.key'), bad)
    await assert.rejects(ensureSecrets(dir), /master\.key is damaged/)
    assert.equal(await readFile(join(dir, 'master.key'), 'utf8'), bad)
  }
  await writeFile(join(dir, 'master.key'), `${'A'.repeat(43)}\n${'B'.repeat(43)}\n`)
  await assert.rejects(ensureSecrets(dir), /exactly one key/)
})

test('a file that others could read is closed', async (t) => {
  const dir = await tempDir(t)
  await ensureSecrets(dir)
  await chmod(join(dir, 'master.key'), 0o644)
  await ensureSecrets(dir)
  assert.equal((await stat(join(dir, 'master.key'))).mode & 0o777, 0o600)
})

test('links are rotated by a new line on top', async (t) => {
  const dir = await tempDir(t)
  const parts = { method: 'GET', path: '/x', expires: 100 }
  const before = createSigner((await ensureSecrets(dir)).links).sign(parts)
  const path = join(dir, 'links.key')
  await writeFile(path, `${Buffer.alloc(32, 7).toString('base64url')}\n${await readFile(path, 'utf8')}`)
  const { links } = await ensureSecrets(dir)
  assert.equal(links.length, 2)
  assert.equal(createSigner(links).verify(parts, before, 1), 'ok')
  assert.ok(createSigner(links).sign(parts).startsWith(`${links[0]?.id}.`))
})
