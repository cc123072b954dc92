import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engine } from '../../test/support/declared.ts'
import { createCatalog } from '../catalog/catalog.ts'
import type { Ext } from '../catalog/formats.ts'
import type { TaskFile } from '../core/task.ts'
import { eachAlong, mergeAlong } from './along.ts'
import type { RunContext } from './operation.ts'

const catalog = createCatalog([
  engine('reader', { from: ['psd'], to: ['png'] }),
  engine('writer', { from: ['png'], to: ['webp'] }, { does: 'merge', from: ['png'], to: ['gif'] }),
  engine(
    'binder',
    { from: ['png'], to: ['pdf'], embeds: true },
    { does: 'merge', from: ['png'], to: ['pdf'], embeds: true },
  ),
])
const file: TaskFile = { id: 'f', blob: 'b', filename: 'a.psd', size: 1, format: 'psd' }

/** What each hop is told of the one after it: the formats it makes, and whether they pass. */
async function hopsTo(to: Ext, run: (context: RunContext<never>) => Promise<unknown>, inputs = [file]) {
  const hops: [Ext, boolean | undefined][] = []
  const context: Partial<RunContext> = {
    inputs,
    params: { output_format: to },
    catalog,
    local: async () => '/nowhere',
    progress: () => {},
    keep: async () => file,
    engine: async (hop) => {
      hops.push([hop.to, hop.passing])
      return [{ path: '/nowhere', format: hop.to, filename: 'a', size: 1 }]
    },
  }
  await run(context as RunContext<never>)
  return hops
}

describe('a hop', () => {
  const convert = (context: RunContext<never>) => eachAlong(context, 'convert')

  it('is told when another one reads what it makes', async () => {
    assert.deepEqual(await hopsTo('webp', convert), [
      ['png', true],
      ['webp', false],
    ])
    assert.deepEqual(await hopsTo('png', convert), [['png', false]])
  })

  it('is not told so when the bytes will be part of the result', async () => {
    assert.deepEqual(await hopsTo('pdf', convert), [
      ['png', false],
      ['pdf', false],
    ])
  })

  it('is told before a merge as well', async () => {
    const two = [file, file]
    assert.deepEqual(
      (await hopsTo('gif', mergeAlong, two)).map(([, passing]) => passing),
      [true, true, false],
    )
    assert.deepEqual(
      (await hopsTo('pdf', mergeAlong, two)).map(([, passing]) => passing),
      [false, false, false],
    )
  })
})
