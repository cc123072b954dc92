import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openOutput } from './outputs.ts'

let dir: string
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'reforge-outputs-'))
  await writeFile(join(dir, 'good.pdf'), '12345')
  await writeFile(join(dir, '-rf'), '')
  await symlink('/etc/passwd', join(dir, 'link.pdf'))
  await symlink('good.pdf', join(dir, 'near.pdf'))
  await writeFile(join(dir, 'one'), '1')
  await link(join(dir, 'one'), join(dir, 'two'))
  await mkdir(join(dir, 'folder'))
  await writeFile(join(dir, 'folder/inner'), '1')
  await symlink('folder', join(dir, 'linked-folder'))
  execFileSync('/usr/bin/mkfifo', [join(dir, 'pipe')])
})
after(() => rm(dir, { recursive: true }))

test('A plain file with one name is given with its size and how it begins', async () => {
  assert.deepEqual(await openOutput(dir, 'good.pdf'), {
    path: join(dir, 'good.pdf'),
    size: 5,
    head: Buffer.from('12345'),
  })
  assert.equal((await openOutput(dir, '-rf')).size, 0)
})

test('Links, pipes, folders, second names, missing files and paths are failures, told to the log only', async () => {
  const bad = ['link.pdf', 'near.pdf', 'pipe', 'folder', 'one', 'two', 'missing']
  for (const name of [...bad, '', '.', '..', '../x', 'folder/inner', '/etc/passwd', 'good.pdf\0']) {
    await assert.rejects(openOutput(dir, name), {
      name: 'Failure',
      errorCode: 'processing_failed',
      message: 'The conversion did not produce a usable file.',
    })
  }
})

test('A folder that is itself a link is refused', async () => {
  assert.equal((await openOutput(join(dir, 'folder'), 'inner')).size, 1)
  await assert.rejects(openOutput(join(dir, 'linked-folder'), 'inner'), { name: 'Failure' })
})
