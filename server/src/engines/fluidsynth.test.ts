import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, LIMITS, type Made } from '../../test/support/bench.ts'
import { look, samplesOf } from '../../test/support/clips.ts'
import { midiOf } from '../../test/support/midi-of.ts'
import { sniff } from '../catalog/sniff.ts'
import { fluidsynth } from './fluidsynth.ts'

const table = await bench(fluidsynth)
/** The A of an orchestra, and the one above it. */
const mid = midiOf([69, 81])

const loudness = (samples: Float32Array, from: number, to: number): number => {
  const part = samples.subarray(from * 8000, to * 8000)
  return Math.sqrt(part.reduce((sum, each) => sum + each * each, 0) / part.length)
}
/** Of the frequencies that are asked for, the one there is most of. */
function loudest(samples: Float32Array, from: number, to: number, among: readonly number[]): number {
  const part = samples.subarray(from * 8000, to * 8000)
  const amount = (frequency: number): number => {
    let [re, im] = [0, 0]
    for (const [at, sample] of part.entries()) {
      re += sample * Math.cos((2 * Math.PI * frequency * at) / 8000)
      im += sample * Math.sin((2 * Math.PI * frequency * at) / 8000)
    }
    return Math.hypot(re, im)
  }
  return among.toSorted((a, b) => amount(b) - amount(a))[0]!
}

engineContract(fluidsynth, table, {
  files: { mid },
  async opens(wav) {
    const { streams, seconds } = await look(wav, 'wav')
    assert.deepEqual([streams[0]?.codec, streams[0]?.rate, streams[0]?.channels], ['pcm_s16le', 44_100, 2])
    assert.ok(seconds > 1 && seconds < 10, `${seconds} s`)
    const samples = await samplesOf(wav, 'wav')
    const among = [330, 440, 554, 660, 880]
    assert.deepEqual([loudest(samples, 0.1, 0.5, among), loudest(samples, 0.6, 0.9, among)], [440, 880])
  },
})

const heard = async ({ files: [file] }: Made) => [...(await samplesOf(file!, 'wav'))]
const afterwards = async ({ files: [file] }: Made) => loudness(await samplesOf(file!, 'wav'), 1.3, 1.8)
const during = async ({ files: [file] }: Made) => loudness(await samplesOf(file!, 'wav'), 0.1, 0.9)
const less = (share: number) => (changed: number, usual: number) =>
  assert.ok(changed < usual * share, `${changed} of ${usual}`)

optionProofs(fluidsynth, table, {
  files: { mid },
  proofs: {
    midi_reverb: proof({ given: false, see: afterwards, shows: less(0.7) }),
    midi_chorus: proof({ given: false, see: heard }),
    audio_filter_volume: proof({ given: 50, see: during, shows: less(0.6) }),
    audio_sample_rate: proof({
      given: '22050',
      see: async ({ files: [file] }) => (await look(file!, 'wav')).streams[0]?.rate,
      shows: 22_050,
    }),
  },
})

describe('notes', () => {
  const words = async (bytes: Uint8Array, { make } = table): Promise<string> =>
    make('convert', { ext: 'mid', bytes, filename: 'song.mid' }, 'wav').then(
      () => 'nothing is wrong',
      (error: Error) => error.message,
    )

  it('are known by their content, wrapped too, and played alike', async () => {
    const lengths = Buffer.alloc(8)
    lengths.writeUInt32LE(mid.length + 12)
    lengths.writeUInt32LE(mid.length, 4)
    const [outer, inner] = [lengths.subarray(0, 4), lengths.subarray(4)]
    const wrapped = Buffer.concat([Buffer.from('RIFF'), outer, Buffer.from('RMIDdata'), inner, mid])
    for (const bytes of [mid, wrapped]) assert.equal(sniff(bytes, 'x').format, 'mid')
    const played = async (bytes: Buffer) => (await table.make('convert', { ext: 'mid', bytes }, 'wav')).files[0]!
    assert.ok((await played(wrapped)).equals(await played(mid)))
  })

  it('that are none are refused in plain words', async () => {
    assert.match(await words(mid.subarray(0, 20)), /no notes in "song\.mid"/)
    assert.match(await words(Buffer.from('MThd and no more')), /"song\.mid" could not be read|no notes/)
  })

  it('that go on for years stop where the server says', async () => {
    const strict = await bench(fluidsynth, undefined, { ...LIMITS, seconds: 5 })
    assert.match(await words(midiOf([69, 70], 80, 96 * 20), strict), /lasts longer than this server takes/)
    assert.match(await words(midiOf([69, 70], 80, 0x0fff_ffff), strict), /could not be read/)
    assert.equal(await words(mid, strict), 'nothing is wrong')
  })
})
