import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bench } from '../../../test/support/bench.ts'
import { clip, look, makeClips } from '../../../test/support/clips.ts'
import type { Ext } from '../../catalog/formats.ts'
import { resolve } from '../../catalog/resolve.ts'
import { Failure } from '../../core/errors.ts'
import { compressVideo } from './compress.ts'
import { videoCompressOptions } from './compress-options.ts'

const { make } = await bench({ id: 'ffmpeg', title: 'FFmpeg', tools: [], can: compressVideo })

const CODED = '-t 2 -c:v libx264 -preset ultrafast -crf 10 -pix_fmt yuv420p'.split(' ')
const AAC = ['-c:a', 'aac', '-b:a', '96k']
/** A test card, a zoom into a fractal, and noise without sound: easy, usual and hard. */
const [card, fractal, noise] = await Promise.all([
  clip('mp4', ['testsrc2=size=160x120:rate=25', 'sine=frequency=300'], [...CODED, ...AAC]),
  clip('mp4', ['mandelbrot=size=160x120:rate=25', 'anoisesrc=amplitude=0.2'], [...CODED, ...AAC]),
  clip('mp4', ['testsrc2=size=160x120:rate=25,noise=alls=40:allf=t'], CODED),
])
const clips = { card, fractal, noise }
const quick = { video_compress_speed: 'ultrafast' }

const compress = (given: Record<string, unknown>, bytes: Buffer = clips.card, ext: Ext = 'mp4') =>
  make('compress', { ext, bytes, filename: 'film.mp4' }, ext, { ...quick, ...given })
const film = async (bytes: Buffer, ext = 'mp4') => {
  const { streams } = await look(bytes, ext)
  return { video: streams.find(({ type }) => type === 'video')!, audio: streams.find(({ type }) => type === 'audio') }
}
const SIZE = 'by_size'

describe('reaching a size', { concurrency: 3 }, () => {
  for (const [name, bytes] of Object.entries(clips))
    for (const share of [0.15, 0.3, 0.5, 0.7, 0.85]) {
      it(`makes the ${name} ${share * 100} % of its size, and up to 3 % less`, async () => {
        const wanted = Math.round(bytes.length * share)
        const { files, percents } = await compress(
          { compress_video: SIZE, video_compress_max_filesize: `${wanted}B` },
          bytes,
        )
        const made = files[0]!.length
        assert.ok(made <= wanted && made >= wanted * 0.97, `${made} of ${wanted}`)
        assert.deepEqual(
          percents,
          percents.toSorted((a, b) => a - b),
        )
        const { video, audio } = await film(files[0]!)
        assert.equal(video.packets, 50)
        assert.equal(audio !== undefined, name !== 'noise')
      })
    }

  it('gives up pixels and sound before it gives up', async () => {
    const { files, told } = await compress(
      { compress_video: SIZE, video_compress_max_filesize: '0.0095' },
      clips.fractal,
    )
    assert.ok(files[0]!.length <= 9500 && files[0]!.length >= 9500 * 0.97)
    const { video } = await film(files[0]!)
    assert.ok(
      told.dimensions === undefined ? video.width === 160 : told.dimensions === `${video.width}x${video.height}`,
    )
  })

  it('tells the smallest reachable size where it cannot be reached, and that one can be', async () => {
    const asked = (size: string) => compress({ compress_video: SIZE, video_compress_max_filesize: size })
    const error = await asked('2KB').catch((caught: unknown) => caught)
    assert.ok(error instanceof Failure)
    const words = /"film.mp4" cannot be made as small as 2 KB; the smallest reachable size is ([\d.]+ KB)\.$/
    const [, smallest = ''] = words.exec(error.message) ?? []
    assert.ok((await asked(smallest)).files[0]!.length <= Number.parseFloat(smallest) * 1000)
  })

  it('gives back a film that is already small enough', async () => {
    const { files, told } = await compress({ compress_video: SIZE, video_compress_max_filesize: 5 })
    assert.ok(files[0]!.equals(clips.card))
    assert.equal(told.unchanged, true)
  })

  it('is as sure with the other codecs', async () => {
    const wanted = Math.round(clips.card.length * 0.4)
    for (const [codec, name] of [
      ['libx265', 'hevc'],
      ['libsvtav1', 'av1'],
    ] as const) {
      const given = { compress_video: SIZE, video_codec_compress: codec, video_compress_max_filesize: `${wanted}B` }
      const { files } = await compress(given)
      const made = files[0]!.length
      assert.ok(made <= wanted && made >= wanted * 0.97, `${codec}: ${made} of ${wanted}`)
      assert.equal((await film(files[0]!)).video.codec, name)
    }
  })

  it('takes a share of the size by default, and another one when asked', async () => {
    const [usual, less] = [await compress({}), await compress({ video_compress_quality_percentage: 30 })]
    const share = (bytes: Buffer) => bytes.length / clips.card.length
    assert.ok(share(usual.files[0]!) <= 0.6 && share(usual.files[0]!) >= 0.6 * 0.97)
    assert.ok(share(less.files[0]!) <= 0.3 && share(less.files[0]!) >= 0.3 * 0.97)
  })
})

describe('compressing a film otherwise', { concurrency: 3 }, () => {
  const quality = { compress_video: 'by_video_quality' }

  it('goes by the quality of each codec', async () => {
    for (const [codec, option, name] of [
      ['libx264', 'video_compress_crf_x264', 'h264'],
      ['libx265', 'video_compress_crf_x265', 'hevc'],
      ['libsvtav1', 'video_compress_crf_av1', 'av1'],
    ] as const) {
      const one = async (crf: number) =>
        (await compress({ ...quality, video_codec_compress: codec, [option]: crf }, clips.fractal)).files[0]!
      const [good, small] = [await one(25), await one(48)]
      assert.ok(small.length < good.length, codec)
      assert.equal((await film(good)).video.codec, name)
    }
  })

  it('leaves the sound as it is', async () => {
    const [before, after] = [await film(clips.card), await film((await compress(quality)).files[0]!)]
    assert.deepEqual([after.audio?.packets, after.audio?.bits], [before.audio?.packets, before.audio?.bits])
  })

  it('makes VP9 and AV1 in a WebM', async () => {
    const webm = await clip(
      'webm',
      ['testsrc2=size=80x64:rate=25:duration=0.4'],
      ['-c:v', 'libvpx', '-crf', '4', '-b:v', '4M'],
    )
    const one = async (given: Record<string, unknown>) => {
      const { files, told } = await compress({ ...quality, ...given }, webm, 'webm')
      assert.equal(told.unchanged, undefined)
      return { bytes: files[0]!, codec: (await film(files[0]!, 'webm')).video.codec }
    }
    const [good, small] = [await one({ video_compress_crf_vp9: 30 }), await one({ video_compress_crf_vp9: 60 })]
    assert.deepEqual([good.codec, small.bytes.length < good.bytes.length], ['vp9', true])
    assert.equal((await one({ video_codec_compress: 'libsvtav1', video_compress_crf_av1: 60 })).codec, 'av1')
  })

  it('goes by the resolution in each way', async () => {
    const resized = async (given: Record<string, unknown>) => {
      const { video } = await film((await compress({ compress_video: 'by_resolution', ...given }, big)).files[0]!)
      return [video.width, video.height]
    }
    const big = await clip('mp4', ['testsrc2=size=480x270:rate=10:duration=0.5'], CODED)
    const method = (name: string) => ({ video_compression_resize_method: name })
    const [width, height] = [{ video_custom_width_compress: 240 }, { video_custom_height_compress: 90 }]
    assert.deepEqual(await resized({ video_compression_resolution_preset: '256:144' }), [256, 144])
    assert.deepEqual(await resized({ ...method('by_width_keep_ar'), ...width }), [240, 136])
    assert.deepEqual(await resized({ ...method('by_height_keep_ar'), ...height }), [160, 90])
    assert.deepEqual(await resized({ ...method('by_width_height'), ...width, ...height }), [240, 90])
    assert.deepEqual(await resized({ video_compression_resolution_preset: '1920:1080' }), [480, 270])
  })

  it('keeps to a bitrate, the evener the smaller the buffer', async () => {
    const made = async (buffer: number) => {
      const limit = { compress_video: 'by_max_bitrate', video_compress_max_bitrate: 200 }
      const { files } = await compress({ ...limit, video_compressor_bufsize: buffer }, clips.noise)
      return { bits: (await film(files[0]!)).video.bits ?? 0, peak: await biggest(files[0]!) }
    }
    const [even, uneven] = [await made(40), await made(1000)]
    assert.ok(even.bits < 220_000, `${even.bits}`)
    assert.ok(even.peak < uneven.peak)
  })

  it('works at the speed that was chosen, which the codec notes down', async () => {
    const written = async (speed: string) => {
      const bytes = (await compress({ ...quality, video_compress_speed: speed })).files[0]!
      return /subme=(\d+)/.exec(bytes.toString('latin1'))?.[1]
    }
    assert.deepEqual([await written('ultrafast'), await written('veryfast'), await written('slow')], ['0', '2', '8'])
  })

  it('writes the plainest H.264 for old devices', async () => {
    const profile = async (given: Record<string, unknown>) => {
      const bytes = (await compress({ ...quality, video_compress_speed: 'medium', ...given })).files[0]!
      return bytes[bytes.indexOf('avcC') + 5]
    }
    assert.deepEqual([await profile({}), await profile({ isCompatibleWithOldDevices_compress: true })], [100, 66])
  })

  it('does on the processor what a graphics card was to do, and says so', async () => {
    const { files, told } = await compress({ ...quality, video_codec_compress: 'hevc_nvenc' })
    assert.equal(told.encoder, 'libx265')
    assert.equal((await film(files[0]!)).video.codec, 'hevc')
  })

  it('never makes a film larger', async () => {
    const small = (await compress({ ...quality, video_compress_crf_x264: 50 }, clips.fractal)).files[0]!
    const { files, told } = await compress({ ...quality, video_compress_crf_x264: 18 }, small)
    assert.ok(files[0]!.equals(small))
    assert.equal(told.unchanged, true)
  })
})

/** Bytes of the biggest picture but the first. */
async function biggest(bytes: Buffer): Promise<number> {
  const copied = ['-map', '0:v', '-c', 'copy', '-f', 'framemd5']
  const [text] = await makeClips((name) => ['-i', name('in.mp4'), ...copied, name('out.txt')], ['out.txt'], {
    'in.mp4': bytes,
  })
  const sizes = text!
    .toString()
    .split('\n')
    .flatMap((line) => (line.startsWith('0,') ? [Number(line.split(',')[4])] : []))
  return Math.max(...sizes)
}

describe('what makes no sense', () => {
  const refused = (given: Record<string, unknown>, words: RegExp) =>
    assert.rejects(compress(given), (error) => error instanceof Failure && words.test(error.message))

  it('is said in words', async () => {
    await refused({ compress_video: SIZE }, /video_compress_max_filesize gives no size/)
    await refused({ compress_video: 'by_max_bitrate' }, /video_compress_max_bitrate gives no bitrate/)
    const method = { compress_video: 'by_resolution', video_compression_resize_method: 'by_width_height' }
    await refused({ ...method, video_custom_width_compress: 64 }, /video_custom_height_compress is not given/)
    const sound = await clip('mp4', ['sine=duration=0.5'])
    await assert.rejects(compress({}, sound), (error) => error instanceof Failure && /only sound/.test(error.message))
  })

  it('is ignored with a reason where another option rules it out', () => {
    const { ignored } = resolve(videoCompressOptions.all, {
      compress_video: 'by_video_quality',
      video_codec_compress: 'libx265',
      video_compress_crf_x264: 20,
      video_compress_max_filesize: 3,
      video_custom_width_compress: 100,
      isCompatibleWithOldDevices_compress: true,
    })
    assert.deepEqual(ignored.map(({ name }) => name).sort(), [
      'isCompatibleWithOldDevices_compress',
      'video_compress_crf_x264',
      'video_compress_max_filesize',
      'video_custom_width_compress',
    ])
    assert.match(
      ignored.find(({ name }) => name === 'video_compress_max_filesize')?.reason ?? '',
      /only when compress_video is by_size/,
    )
  })

  it('is refused where a value is beyond its bounds', () => {
    const words = (given: Record<string, unknown>) => resolve(videoCompressOptions.all, given).issues[0]?.message ?? ''
    assert.match(words({ compress_video: 'by_video_quality', video_compress_crf_x264: 10 }), /from 18 to 51/)
    assert.match(words({ video_compress_quality_percentage: 0 }), /from 1 to 100/)
    assert.match(words({ video_codec_compress: 'h265' }), /must be one of libx264/)
  })
})
