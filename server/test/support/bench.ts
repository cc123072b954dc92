/** A workbench for engines in tests: runs a declared capability on real bytes, in the real box, with options as sent. */

import assert from 'node:assert/strict'
import { copyFile, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Doing, Engine, InputFile, MediaLimits, Spread, Work } from '../../src/catalog/engine.ts'
import type { Ext } from '../../src/catalog/formats.ts'
import { resolve } from '../../src/catalog/resolve.ts'
import { targets } from '../../src/catalog/search.ts'
import { readConfig } from '../../src/config.ts'
import type { Json, JsonObject } from '../../src/core/task.ts'
import { createResidents, type Residents } from '../../src/engines/resident.ts'
import type { Sandbox } from '../../src/ports/sandbox.ts'
import { boxed } from './boxed.ts'
import { yardsIn } from './yards.ts'

export interface Sample {
  ext: Ext
  bytes: Uint8Array
  filename?: string
}

export interface Made {
  files: Buffer[]
  told: Record<string, Json>
  percents: number[]
  ignored: string[]
}

export interface Bench {
  residents: Residents
  /** Throws what the engine throws. */
  make(does: Doing, from: Sample | readonly Sample[], to: Ext, given?: Record<string, unknown>): Promise<Made>
}

/** As a server without settings has them. */
const { maxMediaDuration, maxMediaPixels } = readConfig({})
export const LIMITS: MediaLimits = { seconds: maxMediaDuration, pixels: maxMediaPixels }

/** `change` may take something away from the sandbox. `spread`: parts of so many seconds are done apart. */
export async function bench(
  engine: Engine,
  change = (sandbox: Sandbox): Sandbox => sandbox,
  limits = LIMITS,
  spread?: number,
): Promise<Bench> {
  const { sandbox: whole, dir } = await boxed()
  const sandbox = change(whole)
  const yards = yardsIn(dir)
  const residents = createResidents(sandbox, { yards })
  after(() => residents.close())

  async function put(folder: string, { ext, bytes, filename }: Sample, index: number): Promise<InputFile> {
    const path = join(folder, `in-${index}.${ext}`)
    await writeFile(path, bytes)
    return { path, format: ext, filename: filename ?? `sample.${ext}`, size: bytes.length }
  }

  const make: Bench['make'] = async (does, from, to, given = {}) => {
    const samples = [from].flat()
    // Only a merge works on all of them; else the others come with the first.
    const worked = does === 'merge' ? samples : samples.slice(0, 1)
    const capability = engine.can.find(
      (each) =>
        each.does === does && worked.every(({ ext }) => each.from.includes(ext) && targets(each, ext).includes(to)),
    )
    assert.ok(capability, `${engine.id} does not declare ${does} to ${to}`)
    const { values, issues, ignored } = resolve(capability.options, given)
    assert.deepEqual(issues, [])
    const folder = await mkdtemp(join(dir, 'in-'))
    const place = await mkdtemp(join(dir, 'hop-'))
    const inputs = await Promise.all(samples.map((sample, index) => put(folder, sample, index)))
    const told: Record<string, Json> = {}
    const percents: number[] = []
    const signal = new AbortController().signal
    const progress = (percent: number): void => void percents.push(percent)
    const work: Work = {
      does,
      inputs,
      input: inputs[0]!,
      to,
      options: values,
      dir: place,
      limits,
      user: 'tester',
      signal,
      progress,
      tell: (key, value) => {
        told[key] = value
      },
      run: (spec, onOutput) => sandbox.run({ ...spec, work: place }, { signal, ...(onOutput && { onOutput }) }),
      ask: (kind, question, input, output) => residents.ask(kind, 'tester', question, input, output, signal, progress),
    }
    /** As another machine would: it knows the order and the input, and has a folder of its own. */
    async function doPart(order: JsonObject, name: string): Promise<void> {
      const apart = await mkdtemp(join(dir, 'part-'))
      const run: Work['run'] = (spec) => sandbox.run({ ...spec, work: apart }, { signal })
      const made = await engine.part!({ ...work, dir: apart, run, progress() {} }, JSON.parse(JSON.stringify(order)))
      await copyFile(join(apart, made), join(place, name))
    }
    const hand: Spread['hand'] = async (orders, tell) => {
      for (const [index, order] of orders.entries()) {
        await doPart(order, `part-${index}`)
        tell(((index + 1) / orders.length) * 100)
      }
      return orders.map((_, index) => `part-${index}`)
    }
    const names = await capability.run(spread === undefined ? work : { ...work, spread: { seconds: spread, hand } })
    const files = await Promise.all(names.map((name) => readFile(join(place, name))))
    return { files, told, percents, ignored: ignored.map(({ name }) => name) }
  }
  return { residents, make }
}
