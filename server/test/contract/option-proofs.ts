/**
 * Options are proven by using them: every declared option is converted with and without, and another tool must see the
 * difference. An option of any capability that nobody has proven fails by its name, and so does a proof of no option. One
 * capability stands for those that do the same and are proven in the same way; `npm run matrix` runs them all.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Capability, Doing, Engine } from '../../src/catalog/engine.ts'
import type { Ext } from '../../src/catalog/formats.ts'
import { targets } from '../../src/catalog/search.ts'
import type { Bench, Made, Sample } from '../support/bench.ts'
import { WHOLE } from './engine.ts'

/** Where a proof holds; what is left out may be anything. The first `from` and `to` that fit are run. */
export interface Pair {
  does?: Doing
  from?: readonly Ext[]
  to?: readonly Ext[]
}

/** One file, or those that are merged. */
type Given = Uint8Array | readonly Uint8Array[]

export interface OptionProof<T = unknown> {
  /** Without it, every capability that declares the option. */
  on?: Pair
  /** What is converted, where it is not the usual sample of the format. */
  sample?: Given | ((from: Ext) => Given | Promise<Given>)
  /** What happens is the same for all capabilities that do the same: one of them stands for the others always. */
  once?: true
  /** The option with a value that is not its default. */
  given: unknown
  /** Options of both runs: what the option needs, and what makes its effect easy to see. */
  with?: Record<string, unknown>
  /** The value of the other run, where it is not the default. */
  without?: unknown
  /** The run without the option throws: a password that is missing, say. */
  elseFails?: true
  /** The run with the option is refused: it does not go with the others of `with`. */
  refused?: true
  /** Why the option is taken here and does nothing: the results must then be the same to a byte. */
  idle?: string
  /** What another tool says of the result; it must not say the same of both runs. */
  see?(made: Made, to: Ext): T | Promise<T>
  /** What it must say with the option, or a look at both answers that throws where they are wrong. */
  shows?: T | ((changed: T, usual: T) => void)
}

// biome-ignore lint/suspicious/noExplicitAny: proofs see different things; each stays typed where it is written, by `proof`
export type AnyProof = OptionProof<any>

export interface Proofs {
  /** Small real files of what the engine reads. */
  files: Readonly<Partial<Record<Ext, Uint8Array>>>
  /** Options without which an operation means nothing. */
  options?: Partial<Record<Doing, Record<string, unknown>>>
  /** By the name of the option; the first that holds for a capability counts. */
  proofs: Readonly<Record<string, AnyProof | readonly AnyProof[]>>
}

/** Keeps what a proof sees typed. */
export const proof = <T>(one: OptionProof<T>): OptionProof<T> => one

interface Found {
  does: Doing
  from: Ext
  to: Ext
}

/** The first pair of the capability for which a proof holds. */
function pairFor({ does, ...capability }: Capability, proven: OptionProof, has: (ext: Ext) => boolean): Found | null {
  const { on = {} } = proven
  if (on.does !== undefined && on.does !== does) return null
  for (const from of capability.from) {
    if (on.from ? !on.from.includes(from) : !(proven.sample || has(from))) continue
    const to = targets({ does, ...capability }, from).find((each) => on.to?.includes(each) ?? true)
    if (to !== undefined) return { does, from, to }
  }
  return null
}

export function optionProofs(engine: Engine, { make }: Bench, { files, options = {}, proofs }: Proofs): void {
  const usual = new Map<string, Promise<Made>>()
  const used = new Set<OptionProof>()
  const stood = new Set<string>()

  async function sampleOf({ sample }: OptionProof, { does, from }: Found): Promise<Sample[]> {
    const bytes = typeof sample === 'function' ? await sample(from) : (sample ?? files[from])
    assert.ok(bytes, `no sample of ${from}`)
    const all = bytes instanceof Uint8Array ? (does === 'merge' ? [bytes, bytes] : [bytes]) : bytes
    return all.map((each) => ({ ext: from, bytes: each }))
  }

  async function run(name: string, proven: OptionProof, found: Found): Promise<void> {
    const { does, to } = found
    const sample = await sampleOf(proven, found)
    const base = { ...options[does], ...proven.with }
    const other = proven.without === undefined ? base : { ...base, [name]: proven.without }
    const given = { ...base, [name]: proven.given }
    if (proven.refused) {
      await assert.rejects(make(does, sample, to, given))
      await make(does, sample, to, other)
      return
    }
    const changed = await make(does, sample, to, given)
    const see = proven.idle ? ({ files }: Made) => files : proven.see
    assert.ok(see, `nothing looks at ${name}`)
    assert.ok(!changed.ignored.includes(name), `${name} was ignored: something it needs is missing`)
    const seen = await see(changed, to)
    if (proven.elseFails) return assert.rejects(make(does, sample, to, other))
    const key = JSON.stringify([found, other])
    // Many proofs compare with the same run; samples of their own are another matter.
    const made = proven.sample ? make(does, sample, to, other) : (usual.get(key) ?? make(does, sample, to, other))
    if (!proven.sample) usual.set(key, made)
    const before = await see(await made, to)
    if (proven.idle) return assert.deepEqual(seen, before, `${name} does something after all`)
    assert.notDeepEqual(seen, before, `${name} changes nothing that can be seen`)
    if (typeof proven.shows === 'function') proven.shows(seen, before)
    else if (proven.shows !== undefined) assert.deepEqual(seen, proven.shows)
  }

  describe(`the options of ${engine.id}`, () => {
    for (const capability of engine.can) {
      for (const name of Object.keys(capability.options)) {
        const { [name]: listed = [] } = proofs
        const [first] = [listed].flat().flatMap((proven) => {
          const found = pairFor(capability, proven, (ext) => files[ext] !== undefined)
          return found ? [{ proven, found }] : []
        })
        if (first && (first.proven.once || !WHOLE)) {
          const key = `${first.found.does} ${[listed].flat().indexOf(first.proven)} ${name}`
          if (stood.has(key)) continue
          stood.add(key)
        }
        const { does, from, to } = first?.found ?? {
          does: capability.does,
          from: capability.from[0],
          to: capability.to,
        }
        it(`${name} changes what comes of ${does} ${from} to ${to}`, async () => {
          assert.ok(first, `nothing proves the option ${name} of ${does} ${capability.from} to ${capability.to}`)
          used.add(first.proven)
          await run(name, first.proven, first.found)
        })
      }
    }

    it('are all there that are proven', () => {
      const unused = Object.entries(proofs).flatMap(([name, listed]) =>
        [listed].flat().flatMap((proven) => (used.has(proven) ? [] : [name])),
      )
      assert.deepEqual(unused, [])
    })
  })
}
