/** That no engine is on the list unproven: docs/formats.md and the query endpoints promise what the list declares. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Engine } from '../catalog/engine.ts'
import { engines } from './index.ts'

const here = import.meta.dirname
const IMPORTED = /^import \{ (\w+) \} from '(\.\/[\w/-]+\.ts)'$/gm
/** Of all of an engine, or of a part of it: `{ ...engine, can: … }`. */
const CONTRACT = /\bengineContract\(\s*(?:\{\s*\.\.\.)?(\w+)/g

/** The names under which the list imports engines, each with the engine itself. */
async function listed(): Promise<Map<string, Engine>> {
  const list = await readFile(join(here, 'index.ts'), 'utf8')
  const found = new Map<string, Engine>()
  for (const [, name = '', file = ''] of list.matchAll(IMPORTED)) {
    const module: Record<string, unknown> = await import(file)
    const engine = engines.find((each) => each === module[name])
    if (engine) found.set(name, engine)
  }
  return found
}

/** The names of engines that some test here hands to the contract, which runs every declared from to every declared to. */
async function proven(): Promise<Set<string>> {
  const files = (await readdir(here, { recursive: true })).filter((file) => file.endsWith('.test.ts'))
  const texts = await Promise.all(files.map((file) => readFile(join(here, file), 'utf8')))
  return new Set(texts.flatMap((text) => [...text.matchAll(CONTRACT)].map(([, name = '']) => name)))
}

describe('the list of engines', () => {
  it('holds only engines that the contract runs', async () => {
    const [names, run] = [await listed(), await proven()]
    assert.deepEqual(
      engines.filter((engine) => !names.values().some((each) => each === engine)).map(({ id }) => id),
      [],
      'import engines into the list by the name their tests use',
    )
    assert.deepEqual(
      [...names].filter(([name]) => !run.has(name)).map(([, { id }]) => `${id} is not run by engineContract`),
      [],
    )
  })
})
