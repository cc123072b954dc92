import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, type Made } from '../../test/support/bench.ts'
import { clip, look, samplesOf } from '../../test/support/clips.ts'
import { sox, writesPauses } from './sox.ts'

const table = await bench(sox)
/** A second of a tone and one of hardly anything. */
const SPOKEN = ["aevalsrc='0.5*sin(880*PI*t)*lt(t,1)':sample_rate=44100:duration=2"]
const wav = await clip('wav', SPOKEN, ['-ac', '2'])
const amr = (await table.make('convert', { ext: 'wav', bytes: wav }, 'amr')).files[0]!

engineContract(sox, table, {
  files: { wav, amr },
  async opens(made, ext) {
    const [{ codec, rate, channels } = {}] = (await look(made, ext)).streams
    assert.deepEqual([codec, rate, channels], [ext === 'amr' ? 'amr_nb' : 'pcm_s16le', 8000, 1])
    if (ext === 'wav') assert.equal((await samplesOf(made, 'wav')).length, 16_000)
  },
})

/** As SoX hears it: ffmpeg leaves pauses out. */
async function heard({ files: [file] }: Made): Promise<Float32Array> {
  if (file!.toString('latin1', 0, 4) === 'RIFF') return samplesOf(file!, 'wav')
  return heard(await table.make('convert', { ext: 'amr', bytes: file! }, 'wav'))
}
const seconds = async (made: Made): Promise<number> => Math.round(((await heard(made)).length / 8000) * 10) / 10
const loudness = (samples: Float32Array, from: number, to: number): number => {
  const part = samples.subarray(from * 8000, to * 8000)
  return Math.sqrt(part.reduce((sum, each) => sum + each * each, 0) / part.length)
}
const part = (from: number, to: number) => async (made: Made) => loudness(await heard(made), from, to)
const quieter = (changed: number, usual: number) => assert.ok(changed < usual * 0.7, `${changed} of ${usual}`)
/** Every packet begins with a byte that tells its mode. */
const mode = ({ files: [file] }: Made): number => (file![6]! >> 3) & 15
const first = async ({ files: [file] }: Made) => (await look(file!, 'wav')).streams[0]

optionProofs(sox, table, {
  files: { wav, amr },
  proofs: {
    audio_bitrate: proof({ given: 5, see: mode, shows: 1 }),
    audio_sample_rate: proof({ given: '16000', see: async (made) => (await first(made))?.rate, shows: 16_000 }),
    audio_channel: proof({ given: 'stereo', see: async (made) => (await first(made))?.channels, shows: 2 }),
    audio_filter_volume: proof({ given: 50, see: part(0.2, 0.8), shows: quieter }),
    audio_filter_fade_in: proof({ given: '0.8', see: part(0.05, 0.3), shows: quieter }),
    audio_filter_fade_out: proof({ given: '2', see: part(0.7, 0.95), shows: quieter }),
    audio_filter_reverse: proof({ given: true, see: part(0.1, 0.8), shows: quieter }),
    audio_filter_speed: proof({ given: 200, see: seconds, shows: 1 }),
    cut_start: proof({ given: '1.2', see: seconds, shows: 0.8 }),
    cut_end: proof({ given: '0.5', see: seconds, shows: 0.5 }),
  },
})

describe('sound for telephones', () => {
  const words = (bytes: Uint8Array, given = {}, from: 'wav' | 'amr' = 'wav', to: 'wav' | 'amr' = 'amr') =>
    table.make('convert', { ext: from, bytes, filename: `a.${from}` }, to, given).then(
      () => 'nothing is wrong',
      (error: Error) => error.message,
    )

  it('is as good as it can be unless told otherwise, and nearest to what is asked', async () => {
    for (const [given, expected] of [
      [undefined, 7],
      [12, 7],
      [10, 6],
      [8, 5],
      [4, 0],
    ] as const) {
      const made = await table.make('convert', { ext: 'wav', bytes: wav }, 'amr', { audio_bitrate: given })
      assert.equal(mode(made), expected, `${given}`)
    }
  })

  it('has its pauses for everybody', { skip: !writesPauses && 'amr-pauses is not built: no compiler' }, async () => {
    // ffmpeg knows no pauses that are only told.
    assert.equal((await samplesOf(amr, 'amr')).length, 16_000)
    const kept = await table.make('convert', { ext: 'wav', bytes: wav }, 'amr', { audio_bitrate: 4 })
    assert.equal(kept.files[0]!.length, 6 + 100 * 13)
  })

  it('keeps pauses that are only told when it is read', async () => {
    // One frame of sound, and "nothing new" for a second.
    const told = Buffer.concat([Buffer.from('#!AMR\n'), amr.subarray(6, 38), Buffer.alloc(50, 0x7c)])
    const { files } = await table.make('convert', { ext: 'amr', bytes: told }, 'wav')
    assert.equal((await samplesOf(files[0]!, 'wav')).length, 51 * 160)
  })

  it('is read where it is wider, too', async () => {
    const wide = Buffer.concat([
      Buffer.from('#!AMR-WB\n'),
      ...Array.from({ length: 50 }, () => Buffer.from([0x04, ...Array(17).fill(0x5a)])),
    ])
    const { files } = await table.make('convert', { ext: 'amr', bytes: wide }, 'wav')
    const { streams, seconds: lasts } = await look(files[0]!, 'wav')
    assert.deepEqual([streams[0]?.rate, lasts], [16_000, 1])
  })

  it('is refused in plain words', async () => {
    const mp3 = await clip('wav', SPOKEN, ['-c:a', 'libmp3lame'])
    assert.match(await words(mp3), /"a\.wav" is coded as MP3\. Convert it to wav first/)
    assert.match(await words(wav, { cut_start: 5 }), /cut_start is behind the end of "a\.wav"/)
    assert.match(await words(wav, { cut_start: 1, cut_end: 0.5 }), /cut_end must be later/)
    assert.match(await words(wav.subarray(0, 44)), /no sound in "a\.wav"|could not be read/)
    assert.match(await words(Buffer.from('RIFF and nothing else that a WAVE would have')), /could not be read/)
    assert.match(await words(Buffer.from('#!AMR\n'), {}, 'amr', 'wav'), /no sound in "a\.amr"/)
  })
})
