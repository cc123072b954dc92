import assert from 'node:assert/strict'
import { it } from 'node:test'
import { engineContract } from '../../test/contract/engine.ts'
import { bench } from '../../test/support/bench.ts'
import { rarOf } from '../../test/support/rar-of.ts'
import { corners } from '../../test/support/samples.ts'
import { unzipped } from '../../test/support/unzipped.ts'
import { checkEngines } from '../catalog/check.ts'
import { comics } from './comics.ts'

const table = await bench(comics)
const page = await corners(80, 40).jpeg().toBuffer()
const pages = { 'a/01.jpg': page, 'a/02.JPG': page }
const cbr = rarOf({ ...pages, 'a/run.sh': Buffer.from('#!/bin/sh\n') })

engineContract(comics, table, {
  files: { cbr },
  async opens(bytes) {
    assert.deepEqual(unzipped(bytes), pages)
  },
})

it('the declarations hold together', () => assert.deepEqual(checkEngines([comics]), []))

it('a comic that is cut off, or holds no picture, is not called done', async () => {
  const make = (bytes: Buffer): Promise<unknown> => table.make('convert', { ext: 'cbr', bytes }, 'cbz')
  await assert.rejects(make(cbr.subarray(0, cbr.length / 2)), /"sample\.cbr" could not be read/)
  await assert.rejects(make(rarOf({ 'a.txt': Buffer.from('words') })), /"sample\.cbr" holds no pictures/)
})
