import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engine } from '../../test/support/declared.ts'
import { createCatalog } from '../catalog/catalog.ts'
import type { Ext } from '../catalog/formats.ts'
import { Failure } from '../core/errors.ts'
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

describe('a file that the engine of a hop cannot read', () => {
  const failed = new Failure('processing_failed', 'first words')
  const rescues = [{ from: ['psd'], to: ['png'], run: async () => [] }] as const
  const withRescue = createCatalog([...catalog.engines, { ...engine('rescuer'), rescues }])

  /** `does` is what each engine comes to. */
  async function converted(does: Partial<Record<string, Error>>, params: object = {}) {
    const asked: string[] = []
    const context: Partial<RunContext> = {
      inputs: [file],
      params: { output_format: 'webp', ...params },
      catalog: withRescue,
      local: async () => '/nowhere',
      progress: () => {},
      keep: async () => file,
      engine: async (hop) => {
        asked.push(hop.engine.id)
        const trouble = does[hop.engine.id]
        if (trouble) throw trouble
        return [{ path: '/nowhere', format: hop.to, filename: 'a', size: 1 }]
      },
    }
    const outcome = eachAlong(context as RunContext<never>, 'convert')
    return {
      asked,
      error: await outcome.then(
        () => null,
        (error: unknown) => error,
      ),
      more: await outcome.then(
        (made) => made.more,
        () => null,
      ),
    }
  }

  it('is read by another, which the result names', async () => {
    const { asked, more } = await converted({ reader: failed })
    assert.deepEqual(asked, ['reader', 'rescuer', 'writer'])
    assert.deepEqual(more?.route, [
      { engine: 'rescuer', operation: 'convert', from: 'psd', to: 'png' },
      { engine: 'writer', operation: 'convert', from: 'png', to: 'webp' },
    ])
  })

  it('is read by another before a merge as well, and every file is told of', async () => {
    const both = [...rescues, { from: ['bmp'], to: ['png'], run: async () => [] }] as const
    const engines = [...catalog.engines, engine('bitmaps', { from: ['bmp'], to: ['png'] })]
    const context: Partial<RunContext> = {
      inputs: [file, { ...file, format: 'bmp' }],
      params: { output_format: 'gif' },
      catalog: createCatalog([...engines, { ...engine('rescuer'), rescues: both }]),
      local: async () => '/nowhere',
      progress: () => {},
      keep: async () => file,
      engine: async (hop) => {
        if (hop.engine.id === 'reader' || hop.engine.id === 'bitmaps') throw failed
        return [{ path: '/nowhere', format: hop.to, filename: 'a', size: 1 }]
      },
    }
    const { more } = await mergeAlong(context as RunContext<never>)
    assert.deepEqual(
      (more!.route as { engine: string }[]).map((hop) => hop.engine),
      ['rescuer', 'rescuer', 'writer'],
    )
  })

  it('is refused in the words of the first when the other cannot read it either', async () => {
    const { asked, error } = await converted({ reader: failed, rescuer: new Failure('engine_timeout', 'other words') })
    assert.deepEqual(asked, ['reader', 'rescuer'])
    assert.equal(error, failed)
  })

  it('is not given to another when it took too long, nobody knows the hop, or the engine was named', async () => {
    const slow = new Failure('engine_timeout', 'slow')
    assert.deepEqual((await converted({ reader: slow })).asked, ['reader'])
    assert.deepEqual((await converted({ writer: failed })).asked, ['reader', 'writer'])
    assert.deepEqual((await converted({ reader: failed }, { engine: 'reader' })).asked, ['reader'])
  })

  it('is of no interest when something else is wrong', async () => {
    const gone = new Error('canceled')
    assert.equal((await converted({ reader: failed, rescuer: gone })).error, gone)
    assert.deepEqual((await converted({ reader: gone })).asked, ['reader'])
  })
})
