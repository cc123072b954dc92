import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, statSync, unlinkSync, writeSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { deletedButOpen, diskUse } from './disk-use.ts'
import { removeTree } from './remove-tree.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'reforge-disk-'))
})
afterEach(() => removeTree(dir))

const MB = 2 ** 20

test('Bytes of all folders are counted, those a link leads to are not', async () => {
  const [a, b] = [join(dir, 'a'), join(dir, 'b')]
  await mkdir(join(a, 'deep/er'), { recursive: true })
  await mkdir(b)
  await writeFile(join(a, 'deep/er/file'), Buffer.alloc(MB, 1))
  await writeFile(join(b, 'file'), Buffer.alloc(MB, 1))
  await symlink('/usr', join(b, 'link'))
  const bytes = await diskUse([a, b], Infinity)
  assert.ok(bytes >= 2 * MB && bytes < 2 * MB + 64 * 1024, String(bytes))
  assert.equal(await diskUse([join(dir, 'missing')], Infinity), 0)
})

test('Empty files are not free', async () => {
  for (let i = 0; i < 100; i++) await writeFile(join(dir, String(i)), '')
  assert.ok((await diskUse([dir], Infinity)) >= 100 * 4096)
})

test('A path too long to be named is too much, and can be removed all the same', async () => {
  const steps = 'for (let i = 0; i < 20; i++) { fs.mkdirSync("n".repeat(250)); process.chdir("n".repeat(250)) }'
  execFileSync(process.execPath, ['-e', `${steps} fs.writeFileSync("file", "hidden")`], { cwd: dir })
  assert.equal(await diskUse([dir], Infinity), Infinity)
  await removeTree(dir)
  assert.equal(statSync(dir, { throwIfNoEntry: false }), undefined)
})

test('A folder closed to us is too much, and can be removed all the same', async (t) => {
  if (process.getuid?.() === 0) return t.skip('nothing is closed to root')
  await mkdir(join(dir, 'closed'))
  await writeFile(join(dir, 'closed/file'), 'hidden')
  await chmod(join(dir, 'closed'), 0)
  assert.equal(await diskUse([dir], Infinity), Infinity)
  await removeTree(dir)
  assert.equal(statSync(dir, { throwIfNoEntry: false }), undefined)
})

test('A file that was deleted but is open counts once', async () => {
  const path = join(dir, 'file')
  const [first, second] = [openSync(path, 'w'), openSync(path, 'r')]
  writeSync(first, Buffer.alloc(MB, 1))
  const devices = new Set([statSync(dir).dev])
  assert.equal(await deletedButOpen([process.pid], devices), 0)
  unlinkSync(path)
  const bytes = await deletedButOpen([process.pid], devices)
  closeSync(first)
  closeSync(second)
  assert.ok(bytes >= MB && bytes < MB + 64 * 1024, String(bytes))
})
