import assert from 'node:assert/strict'
import { chmod, chown, link, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { tempDir } from '../../../test/support/temp-dir.ts'
import { layOut, takeResults } from './task-folder.ts'

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

describe('what a child has made', () => {
  const PAGES = /^page-\d+\.jpg$/
  /** Whether it is taken, and what is there then. */
  async function taken(leave: (out: string, dir: string) => Promise<unknown>) {
    const { path: dir, remove } = await tempDir()
    try {
      const [folder, to] = [join(dir, 'child'), join(dir, 'to')]
      for (const path of [folder, to]) await mkdir(path)
      await leave(join(folder, 'out'), dir)
      return { ok: await takeResults(folder, PAGES, to), names: (await readdir(to)).sort() }
    } finally {
      await remove()
    }
  }
  const pages = async (out: string, ...names: string[]) => {
    await mkdir(out)
    for (const name of names) await writeFile(join(out, name), 'picture')
  }

  it('is taken as far as it is called what it should be', async () => {
    const made = taken((out) => pages(out, 'page-1.jpg', 'page-02.jpg', 'page-1.jpg.sh', 'order', '-rf'))
    assert.deepEqual(await made, { ok: true, names: ['page-02.jpg', 'page-1.jpg'] })
  })

  it('is not taken where there is nothing, or far too much', async () => {
    const many = Array.from({ length: 101 }, (_, n) => `page-${n}.jpg`)
    for (const leave of [async () => {}, (out: string) => pages(out, 'x'), (out: string) => pages(out, ...many)])
      assert.deepEqual(await taken(leave), { ok: false, names: [] })
  })

  it('is not taken where it leads to what others have', async () => {
    const to = async (out: string, dir: string, lead: typeof link | typeof symlink) => {
      await pages(out, 'page-2.jpg')
      await writeFile(join(dir, 'theirs'), 'secret')
      await lead(join(dir, 'theirs'), join(out, 'page-1.jpg'))
    }
    assert.deepEqual(await taken((out, dir) => to(out, dir, symlink)), { ok: false, names: [] })
    assert.deepEqual(await taken((out, dir) => to(out, dir, link)), { ok: false, names: [] })
    const elsewhere = async (out: string, dir: string) => {
      await pages(join(dir, 'theirs'), 'page-1.jpg')
      await symlink(join(dir, 'theirs'), out)
    }
    assert.deepEqual(await taken(elsewhere), { ok: false, names: [] })
  })
})
