import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { engine } from '../../test/support/declared.ts'
import { createCatalog } from '../catalog/catalog.ts'
import type { JsonObject, Task } from '../core/task.ts'
import { laneOf } from './lane.ts'
import { operation } from './operation.ts'

const catalog = createCatalog([
  engine('pictures', { from: ['jpg', 'png'], to: ['jpg', 'png', 'webp'] }, { does: 'crop', from: ['jpg'], to: 'same' }),
  engine(
    'films',
    { from: ['tiff'], to: ['png'], heavy: true },
    { from: ['png'], to: ['webp'], cost: 5, heavy: true },
    { does: 'crop', from: ['tiff'], to: 'same', heavy: true },
  ),
])
const operations = new Map(
  (['convert', 'crop'] as const).map((does) => [
    does as string,
    operation({
      name: does,
      summary: '',
      lane: 'light',
      inputs: [1, 1],
      does,
      params: Type.Object({}),
      run: async () => ({ files: [] }),
    }),
  ]),
)

const lane = (does: string, payload: JsonObject, ...formats: string[]) => {
  const files = formats.map((format) => ({ id: 'f', blob: 'b', filename: 'x', size: 1, format }))
  const source: Pick<Task, 'result'> = { result: { files } }
  return laneOf({ operation: does, payload, lane: 'light' }, [source], { operations, catalog })
}

describe('the lane of a task', () => {
  test('is the heavy one when a hop of its way is heavy', () => {
    assert.equal(lane('convert', { output_format: 'png' }, 'tiff'), 'heavy')
    assert.equal(lane('convert', { output_format: 'jpg' }, 'tiff'), 'heavy')
    assert.equal(lane('convert', { output_format: 'png' }, 'jpg', 'tiff'), 'heavy')
  })
  test('is that of its operation otherwise', () => {
    assert.equal(lane('convert', { output_format: 'png' }, 'jpg'), 'light')
    assert.equal(lane('convert', { output_format: 'png' }, 'bin'), 'light')
    assert.equal(lane('import/url', {}, 'tiff'), 'light')
  })
  test('follows the format of the input where none is asked for', () => {
    assert.equal(lane('crop', {}, 'tiff'), 'heavy')
    assert.equal(lane('crop', {}, 'jpg'), 'light')
  })
  test('follows the engine that was named', () => {
    assert.equal(lane('convert', { output_format: 'webp' }, 'png'), 'light')
    assert.equal(lane('convert', { output_format: 'webp', engine: 'films' }, 'png'), 'heavy')
  })
})
