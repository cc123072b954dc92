import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bench } from '../../../test/support/bench.ts'
import { clip, look, makeClips, pixelsAt } from '../../../test/support/clips.ts'
import { corners } from '../../../test/support/samples.ts'
import type { Ext } from '../../catalog/formats.ts'
import { ffmpeg } from '../ffmpeg.ts'
import { containerOf } from './containers.ts'
import { VIDEO_ENCODERS } from './encoders.ts'

const { make } = await bench(ffmpeg)
const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
const card = await clip('mp4', ['testsrc=size=128x96:rate=25:duration=1', 'sine=duration=1'], [...X264, '-c:a', 'aac'])
const short = await clip('mp4', ['testsrc=size=64x48:rate=25:duration=0.2'], X264)
/** Four quarters of one colour each: red, green / blue, yellow. */
const [quarters] = await makeClips(
  (name) => ['-loop', '1', '-i', name('in.png'), '-t', '0.4', ...X264, '-crf', '5', name('out.mp4')],
  ['out.mp4'],
  { 'in.png': await corners(64, 48).png().toBuffer() },
)

const convert = async (
  given: Record<string, unknown>,
  bytes = card,
  to: Ext = 'mp4',
  from: Ext = 'mp4',
): Promise<Buffer> => (await make('convert', { ext: from, bytes }, to, given)).files[0]!
const film = async (bytes: Uint8Array, ext = 'mp4') =>
  (await look(bytes, ext)).streams.find(({ type }) => type === 'video')!

/** Names of the quarters as they lie: top left, top right, bottom left, bottom right. */
async function lies(bytes: Uint8Array, ext = 'mp4', at = 0): Promise<string> {
  const pixels = await pixelsAt(bytes, ext, at, 16, 12)
  const middles = [3 * 16 + 4, 3 * 16 + 12, 9 * 16 + 4, 9 * 16 + 12]
  const names = middles.map((place) =>
    [...pixels.subarray(place * 3, place * 3 + 3)].map((each) => (each > 110 ? 1 : 0)).join(''),
  )
  return names.map((bits) => ({ '100': 'r', '010': 'g', '001': 'b', '110': 'y', '000': '-' })[bits] ?? '?').join('')
}

describe('a picture', { concurrency: 3 }, () => {
  it('is coded by every encoder a format lists', async () => {
    for (const to of ['mkv', 'mov', 'avi', 'mp4', 'wmv', 'flv', 'mpg'] as const) {
      const { encoders } = containerOf(to).video!
      for (const name of to === 'mkv' ? encoders : encoders.slice(1).filter((each) => !MKV.has(each)))
        assert.equal(
          (await film(await convert({ video_codec: name, video_crf: 40 }, short, to), to)).codec,
          VIDEO_ENCODERS[name].codec,
          `${to} ${name}`,
        )
    }
  })

  it('is coded by the CPU where there is no graphics card, and says so', async () => {
    const { files, told } = await make('convert', { ext: 'mp4', bytes: short }, 'mp4', {
      video_codec: 'hevc_nvenc',
      video_crf: 40,
    })
    assert.deepEqual(
      [(await film(files[0]!)).codec, (await film(files[0]!)).tag, told.encoder],
      ['hevc', 'hvc1', 'libx265'],
    )
  })

  it('is better and bigger by quality and bitrate, and slower coding is another', async () => {
    const [good, poor] = [await convert({ video_crf: 10 }), await convert({ video_crf: 45 })]
    assert.ok(good.length > poor.length * 1.3)
    const [rich, thin] = [await convert({ video_bitrate: 900 }), await convert({ video_bitrate: 40 })]
    assert.ok(rich.length > thin.length * 1.3)
    assert.ok((await convert({ video_crf: 30, video_preset: 'ultrafast' })).includes('cabac=0'))
    assert.ok((await convert({ video_crf: 30, video_preset: 'slow' })).includes('cabac=1'))
  })

  it('is looked at twice for a bitrate', async () => {
    const given = { video_bitrate: 200, video_two_pass: true }
    const { files, percents } = await make('convert', { ext: 'mp4', bytes: card }, 'mp4', given)
    assert.ok(files[0]!.includes('rc=2pass'))
    assert.ok(percents.includes(50) && percents.at(-1) === 100)
    for (const video_codec of ['libx265', 'libvpx-vp9', 'mpeg4'])
      assert.ok((await convert({ ...given, video_codec }, short, 'mkv')).length > 0)
  })

  it('has the size that was asked for', async () => {
    const size = async (given: Record<string, unknown>) => {
      const { width, height } = await film(await convert(given))
      return `${width}x${height}`
    }
    assert.equal(await size({ video_resolution: '48p' }), '64x48')
    assert.equal(await size({ video_resolution: '100x50' }), '66x50')
    assert.equal(await size({ video_resolution: '100:50', video_fit: 'stretch' }), '100x50')
    const padded = await convert({ video_resolution: '128x48', video_fit: 'pad' }, quarters!)
    const row = await pixelsAt(padded, 'mp4', 0, 16, 6)
    assert.ok(row[1]! < 40 && row[3 * 4]! > 150)
    const filled = await convert({ video_resolution: '96x20', video_fit: 'crop' }, quarters!)
    assert.equal(await lies(filled), 'rgby')
  })

  it('has even sides, however odd it was', async () => {
    const odd = await clip('mkv', ['testsrc=size=65x49:rate=5:duration=0.4'], ['-c:v', 'ffv1'])
    const { width, height, pixels } = await film(await convert({}, odd, 'mp4', 'mkv'))
    assert.deepEqual([width! % 2, height! % 2, pixels], [0, 0, 'yuv420p'])
  })

  it('comes as often as was asked, in the proportions that were asked for', async () => {
    assert.equal((await film(await convert({ video_fps: 10 }))).fps, '10/1')
    assert.equal((await film(await convert({ video_aspect_ratio: '16:9' }))).aspect, '16:9')
  })

  it('is turned and mirrored', async () => {
    assert.equal(await lies(quarters!), 'rgby')
    assert.equal(await lies(await convert({ video_rotate: 90 }, quarters)), 'bryg')
    assert.equal(await lies(await convert({ video_rotate: 180 }, quarters)), 'ybgr')
    assert.equal(await lies(await convert({ video_rotate: 270 }, quarters)), 'gyrb')
    assert.equal(await lies(await convert({ video_flip: 'horizontal' }, quarters)), 'gryb')
    assert.equal(await lies(await convert({ video_flip: 'vertical' }, quarters)), 'byrg')
  })

  it('stands as a player shows it, copied or coded', async () => {
    const [turned] = await makeClips(
      (name) => ['-i', name('in.mp4'), '-c', 'copy', '-metadata:s:v:0', 'rotate=90', name('out.mov')],
      ['out.mov'],
      { 'in.mp4': quarters! },
    )
    const copied = await convert({}, turned, 'mp4', 'mov')
    assert.ok((await film(copied)).rotated)
    const shown = await lies(turned!, 'mov')
    assert.deepEqual([await lies(copied), shown === 'rgby'], [shown, false])
    const coded = await convert({}, turned, 'mkv', 'mov')
    assert.deepEqual([(await film(coded, 'mkv')).width, await lies(coded, 'mkv')], [48, shown])
  })

  it('loses the comb of half pictures', async () => {
    const lace = ['-vf', 'tinterlace=interleave_top', '-c:v', 'ffv1', '-field_order', 'tt']
    const comb = await clip(
      'mkv',
      ["nullsrc=size=64x48:rate=10:duration=2,geq=lum='255*lt(mod(X+N*16\\,64)\\,32)':cb=128:cr=128"],
      lace,
    )
    const [plain, whole] = [
      await convert({ video_crf: 5 }, comb, 'mp4', 'mkv'),
      await convert({ video_crf: 5, video_deinterlace: true }, comb, 'mp4', 'mkv'),
    ]
    const [before, after] = [await pixelsAt(plain, 'mp4', 0.4, 64, 48), await pixelsAt(whole, 'mp4', 0.4, 64, 48)]
    assert.ok(combing(after) < combing(before))
  })

  it('of more light than usual is brought into range, or kept where the codec can', async () => {
    const hdr = 'colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:log-level=error'
    const bright = await clip(
      'mp4',
      ['testsrc2=size=64x48:rate=5:duration=0.4'],
      ['-c:v', 'libx265', '-pix_fmt', 'yuv420p10le', '-x265-params', hdr],
    )
    const usual = await film(await convert({ video_crf: 20 }, bright))
    assert.deepEqual([usual.transfer, usual.pixels], ['bt709', 'yuv420p'])
    const kept = await film(await convert({ video_crf: 20, video_codec: 'libx265' }, bright))
    assert.deepEqual([kept.transfer, kept.pixels], ['smpte2084', 'yuv420p10le'])
  })

  it('that comes at uneven times goes into old formats too', async () => {
    const uneven = await clip(
      'mkv',
      ['testsrc=size=64x48:rate=30:duration=1'],
      ['-vf', "select='not(mod(n,3))+eq(n,1)'", '-vsync', 'vfr', ...X264],
    )
    for (const to of ['avi', 'wmv'] as const)
      assert.ok(Math.abs((await look(await convert({}, uneven, to, 'mkv'), to)).seconds - 0.95) < 0.15)
    assert.ok(Math.abs((await film(await convert({}, uneven, 'mpg', 'mkv'), 'mpg')).packets - 28) <= 2)
  })
})

const MKV = new Set<string>(containerOf('mkv').video!.encoders)

/** How much lines differ from their neighbours. */
const combing = (pixels: Buffer): number => {
  let sum = 0
  for (let at = 64 * 3; at < pixels.length - 64 * 3; at += 1)
    sum += Math.abs(2 * pixels[at]! - pixels[at - 64 * 3]! - pixels[at + 64 * 3]!)
  return sum
}
