import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createCatalog } from '../catalog/catalog.ts'
import type { Engine } from '../catalog/engine.ts'
import { option, options } from '../catalog/option.ts'
import { settle } from './settle.ts'

const shown = options({
  quality: option.integer({ hint: '', min: 1, max: 100, default: 80 }),
  password: option.string({ hint: '', secret: true }),
})
const engine: Engine = {
  id: 'press',
  title: 'Press',
  tools: [],
  can: [{ does: 'convert', from: ['png'], to: ['pdf'], cost: 1, options: shown, run: async () => [] }],
}
const catalog = createCatalog([engine])
const wanted = { does: 'convert', from: ['png'], to: 'pdf', engine: undefined, options: {} } as const

describe('settling a processing task', () => {
  test('gives the engine the secret and shows it to nobody', () => {
    const settled = settle(catalog, { ...wanted, options: { password: 'hush', quality: '70' } })
    assert.ok(!Array.isArray(settled))
    assert.equal(settled.values.password, 'hush')
    assert.deepEqual(settled.options.applied, { quality: 70, password: '***' })
    assert.deepEqual([...catalog.secrets], ['password'])
  })

  test('says what is possible when there is no way', () => {
    assert.deepEqual(settle(catalog, { ...wanted, to: 'jpg' }), [
      { path: 'output_format', message: 'png cannot be converted to jpg. Possible: pdf.' },
    ])
    assert.deepEqual(settle(catalog, { ...wanted, from: ['mp3'] }), [
      { path: 'input', message: 'files of the format mp3 cannot be converted here.' },
    ])
  })

  test('says to convert documents first, which cannot be merged as they are', () => {
    const none = options({})
    const run = async (): Promise<string[]> => []
    const binder: Engine = {
      ...{ id: 'binder', title: 'Binder', tools: [] },
      can: [
        { does: 'merge', from: ['pdf'], to: ['pdf'], cost: 1, options: none, run },
        { does: 'convert', from: ['docx'], to: ['pdf'], cost: 1, options: none, run },
      ],
    }
    const merge = { ...wanted, does: 'merge', to: 'pdf' } as const
    assert.deepEqual(settle(createCatalog([binder]), { ...merge, from: ['docx', 'docx'] }), [
      {
        path: 'input',
        message:
          'files of the format docx cannot be merged here. Convert them to pdf first, and merge what comes of it.',
      },
    ])
    assert.deepEqual(settle(createCatalog([binder]), { ...merge, from: ['mp3', 'mp3'] }), [
      { path: 'input', message: 'files of the format mp3 cannot be merged here.' },
    ])
  })

  test('puts the problems of options under their path, and names the engines there are', () => {
    const issues = settle(catalog, { ...wanted, options: { quality: 0 } })
    assert.ok(Array.isArray(issues))
    assert.equal(issues[0]?.path, 'options.quality')
    assert.deepEqual(settle(catalog, { ...wanted, engine: 'anvil' }), [
      { path: 'engine', message: 'must be one of press.' },
    ])
  })
})
