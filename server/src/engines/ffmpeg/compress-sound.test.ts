import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bench } from '../../../test/support/bench.ts'
import { clip, look } from '../../../test/support/clips.ts'
import type { Ext } from '../../catalog/formats.ts'
import { Failure } from '../../core/errors.ts'
import { compressSound } from './compress-sound.ts'
import { smoothArgs, voices } from './compress-sound-args.ts'

const { make } = await bench({ id: 'ffmpeg', title: 'FFmpeg', tools: [], can: [compressSound] })

/** A tone that rises over some noise, on two channels. */
const SOUND = 'aevalsrc=0.3*sin(2*PI*t*(300+200*t))|0.2*random(0):duration=3:sample_rate=44100'
const sounds = {
  mp3: await clip('mp3', [SOUND], ['-b:a', '192k']),
  m4a: await clip('m4a', [SOUND], ['-b:a', '192k']),
  ogg: await clip('ogg', [SOUND], ['-c:a', 'libvorbis', '-q:a', '8']),
  opus: await clip('opus', [SOUND], ['-b:a', '160k']),
} as const

const compress = (given: Record<string, unknown>, ext: Ext & keyof typeof sounds = 'mp3') =>
  make('compress', { ext, bytes: sounds[ext], filename: `song.${ext}` }, ext, given)

describe('compressing sound', { concurrency: 3 }, () => {
  it('goes by the bitrate, and plays as long', async () => {
    const { files } = await compress({ audio_compress_bitrate: 48 })
    const { seconds, streams } = await look(files[0]!, 'mp3')
    assert.ok(Math.abs(seconds - 3) < 0.1)
    assert.ok(Math.abs((streams[0]?.bits ?? 0) - 48_000) < 1000)
  })

  for (const ext of ['mp3', 'm4a', 'ogg', 'opus'] as const) {
    it(`reaches a size as ${ext}, and up to 3 % less`, async () => {
      for (const share of [0.25, 0.6]) {
        const wanted = Math.round(sounds[ext].length * share)
        const { files, percents } = await compress({ audio_compress_max_filesize: `${wanted}B` }, ext)
        const made = files[0]!.length
        assert.ok(made <= wanted && made >= wanted * 0.97, `${made} of ${wanted}`)
        assert.ok(Math.abs((await look(files[0]!, ext)).seconds - 3) < 0.1)
        assert.deepEqual(
          percents,
          percents.toSorted((a, b) => a - b),
        )
      }
    })
  }

  it('keeps one channel where there is little room', async () => {
    const { files } = await compress({ compress_audio: 'by_size', audio_compress_max_filesize: '9KB' })
    assert.ok(files[0]!.length <= 9000)
    assert.equal((await look(files[0]!, 'mp3')).streams[0]?.channels, 1)
  })

  it('tells the smallest reachable size where it cannot be reached', () =>
    assert.rejects(
      compress({ audio_compress_max_filesize: '1KB' }),
      (error) => error instanceof Failure && /song.mp3.*smallest reachable size is [\d.]+ KB/.test(error.message),
    ))

  it('gives the sound back where nothing smaller comes of it', async () => {
    for (const given of [{ audio_compress_bitrate: 320 }, { audio_compress_max_filesize: 5 }]) {
      const { files, told } = await compress(given)
      assert.ok(files[0]!.equals(sounds.mp3))
      assert.equal(told.unchanged, true)
    }
  })

  it('says so when a size was meant and none was given', () =>
    assert.rejects(compress({ compress_audio: 'by_size' }), /audio_compress_max_filesize gives no size/))

  it('tells Vorbis a quality and LAME an average, for both follow those without jumps', () => {
    assert.deepEqual(smoothArgs('libvorbis', 64_000, 2), ['-c:a', 'libvorbis', '-q:a', '0.000'])
    assert.deepEqual(smoothArgs('libmp3lame', 33_333.3, 2), ['-c:a', 'libmp3lame', '-abr', '1', '-b:a', '33333'])
    assert.deepEqual([voices(100_000, { channels: 2 }).length, voices(30_000, { channels: 2 }).length], [4, 3])
  })
})
