import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { link, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { tempDir } from '../../../test/support/temp-dir.ts'
import { putFile, readMade, sizeOfMade } from './hop-files.ts'

const { path: dir, remove } = await tempDir()
after(remove)
const outside = join(dir, 'outside')
await writeFile(outside, 'not yours')

const work = { dir }
const MKFIFO = '/usr/bin/mkfifo'

describe('files between the runs of a hop', () => {
  it('are read, as far as asked', async () => {
    await putFile(work, 'plain', 'hello')
    assert.deepEqual([await readMade(work, 'plain'), await readMade(work, 'plain', 2)], ['hello', 'he'])
    assert.equal(await sizeOfMade(work, 'plain'), 5)
  })

  it('are refused when a program left something else in their place', async () => {
    await symlink(outside, join(dir, 'link'))
    await link(outside, join(dir, 'second-name'))
    execFileSync(MKFIFO, [join(dir, 'pipe')])
    for (const name of ['link', 'second-name', 'pipe', 'missing', '.'])
      await assert.rejects(readMade(work, name), /produced no file/, name)
    await assert.rejects(sizeOfMade(work, 'link'), /produced no file/)
  })

  it('are never written through a link', async () => {
    await symlink(outside, join(dir, 'job.json'))
    await putFile(work, 'job.json', 'mine')
    assert.equal(await readFile(outside, 'utf8'), 'not yours')
    assert.equal(await readMade(work, 'job.json'), 'mine')
  })
})
