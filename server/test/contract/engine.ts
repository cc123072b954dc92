/**
 * Declarations are proven by running them: every declared `from` to every declared `to`, on real bytes, in the real box,
 * and a look at what came out.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Doing, Engine } from '../../src/catalog/engine.ts'
import type { Ext } from '../../src/catalog/formats.ts'
import { targets } from '../../src/catalog/search.ts'
import { sniff } from '../../src/catalog/sniff.ts'
import type { Bench } from '../support/bench.ts'

/** `npm run matrix`: nothing stands for anything else. */
export const WHOLE = process.env.REFORGE_TEST_WHOLE === '1'

export interface EngineSamples {
  /** Small real files, one for every format the engine reads. */
  files: Readonly<Partial<Record<Ext, Uint8Array>>>
  /** Options without which an operation means nothing. */
  options?: Partial<Record<Doing, Record<string, unknown>>>
  /** Opens a result by other means than the engine, and throws when it is not what it should be. */
  opens(bytes: Buffer, ext: Ext, from: Ext): Promise<void>
  /** Which pairs are run, where all would take too long; each `from` and each `to` must be among them. `npm run matrix`: all. */
  proves?(pair: Pair): boolean
  /** How many are run at once; one, unless each is mostly waiting. */
  together?: number
}

export interface Pair {
  does: Doing
  from: Ext
  to: Ext
}

export function engineContract(
  engine: Engine,
  { make }: Bench,
  { files, options = {}, opens, proves, together = 1 }: EngineSamples,
): void {
  const declared = engine.can.flatMap(pairs)
  const proven = proves && !WHOLE ? declared.filter(proves) : declared
  describe(`${engine.id}, by its declarations`, { concurrency: together }, () => {
    for (const { does, from, to } of proven) {
      it(`can ${does} ${from} to ${to}`, async () => {
        const bytes = files[from]
        assert.ok(bytes, `no sample of ${from}`)
        const sample = { ext: from, bytes }
        const { files: made } = await make(does, does === 'merge' ? [sample, sample] : sample, to, options[does])
        assert.ok(made.length > 0)
        for (const result of made) {
          assert.equal(sniff(result.subarray(0, 65_536), `x.${to}`).format, to)
          await opens(result, to, from)
        }
      })
    }

    it('leaves nothing declared unproven', () => {
      const ends = (list: readonly Pair[]): string[] =>
        [...new Set(list.flatMap(({ does, from, to }) => [`${does} from ${from}`, `${does} to ${to}`]))].sort()
      assert.deepEqual(ends(proven), ends(declared))
    })

    it('declares every pair once', () => {
      const names = declared.map(({ does, from, to }) => `${does} ${from} ${to}`)
      assert.deepEqual(
        names.filter((name, index) => names.indexOf(name) !== index),
        [],
      )
    })
  })
}

const pairs = (capability: Engine['can'][number]): Pair[] =>
  capability.from.flatMap((from) => targets(capability, from).map((to) => ({ does: capability.does, from, to })))
