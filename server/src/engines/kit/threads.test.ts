import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { boxed } from '../../../test/support/boxed.ts'
import { THREADS, X265_POOLS } from './threads.ts'

it('x265 uses all of its threads in a box', { skip: THREADS < 2 && 'there is but one processor' }, async () => {
  const { sandbox, dir } = await boxed()
  const work = join(dir, 'work')
  await mkdir(work)
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=320x240:d=0.2']
  const encoder = ['-c:v', 'libx265', '-x265-params', X265_POOLS, '-f', 'null', '-']
  const { stderr } = await sandbox.run({ command: ['/usr/bin/ffmpeg', '-nostdin', ...picture, ...encoder], work })
  assert.match(stderr, new RegExp(`Thread pool created using ${THREADS} threads`))
})
