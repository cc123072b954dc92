import assert from 'node:assert/strict'
import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { tempDir } from '../../../test/support/temp-dir.ts'
import { layOut } from './task-folder.ts'

const CHILD = 60_700
const root = process.getuid?.() === 0

/** Whether the input of a question is the file itself; and what lies there belongs to whom, with which rights. */
async function laid({ owner = 0, mode = 0o444, yardOf = CHILD }: { owner?: number; mode?: number; yardOf?: number }) {
  const { path: dir, remove } = await tempDir()
  try {
    const [yard, input, folder] = [join(dir, 'yard'), join(dir, 'input'), join(dir, 'yard', 'a')]
    await mkdir(yard)
    await writeFile(input, 'bytes')
    if (root) await chown(yard, yardOf, yardOf)
    if (root) await chown(input, owner, owner)
    await chmod(input, mode)
    assert.equal(await layOut(yard, folder, { input: 'in.txt' }, input), 5)
    const [given, there] = [await stat(input), await stat(join(folder, 'in.txt'))]
    return { itself: given.ino === there.ino, uid: there.uid, mode: there.mode & 0o777 }
  } finally {
    await remove()
  }
}

describe('the input of a child', () => {
  it('is the file itself where another user can only read it', {
    skip: !root && 'only root has other users',
  }, async () => {
    assert.deepEqual(await laid({}), { itself: true, uid: 0, mode: 0o444 })
    assert.deepEqual(await laid({ owner: CHILD + 1, mode: 0o644 }), { itself: true, uid: CHILD + 1, mode: 0o644 })
  })

  it('is a copy where the child could do more, or less', { skip: !root && 'only root has other users' }, async () => {
    const copy = { itself: false, uid: CHILD, mode: 0o400 }
    for (const given of [{ owner: CHILD }, { mode: 0o646 }, { mode: 0o664 }, { mode: 0o600 }])
      assert.deepEqual(await laid(given), copy)
  })

  it('is a copy where the child is who we are', async () => {
    const own = process.getuid?.() ?? 0
    assert.deepEqual(await laid({ yardOf: own }), { itself: false, uid: own, mode: 0o400 })
  })
})
