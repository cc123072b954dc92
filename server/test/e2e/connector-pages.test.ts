import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { createSealer } from '../../src/core/secret.ts'
import { engines } from '../../src/engines/index.ts'
import { operations } from '../../src/operations/index.ts'
import { planJob } from '../../src/operations/plan.ts'

const folder = join(import.meta.dirname, '../../../docs/connectors')
const pages = readdirSync(folder).filter((name) => name !== 'README.md')
const context = {
  user: 'u',
  key: null,
  kept: { files: 0, records: 0 },
  now: 0,
  operations,
  catalog: createCatalog(engines),
  sealer: createSealer(randomBytes(32)),
  unreachable: async () => null,
  find: async () => [],
}

describe('the pages about storages', () => {
  for (const page of pages) {
    const text = readFileSync(join(folder, page), 'utf8')
    const name = page.replace('.md', '').replace('-', '_')

    test(`${page}: its job is accepted word for word, and nothing in it is ignored`, async () => {
      const job = JSON.parse(/```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '')
      assert.deepEqual((await planJob(job, context)).warnings, [])
    })

    test(`${page}: it tells every field, and none that is not there`, () => {
      const declared = ['import', 'export'].flatMap((way) =>
        Object.keys(operations.get(`${way}/${name}`)?.params.properties ?? {}),
      )
      assert.ok(declared.length > 0, name)
      for (const field of declared) assert.ok(text.includes(`\`${field}\``), field)
      const told = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, field = '']) => field)
      assert.deepEqual(
        told.filter((field) => !declared.includes(field)),
        [],
      )
    })
  }
})
