import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { bench } from '../../../test/support/bench.ts'
import { clip } from '../../../test/support/clips.ts'
import { resolve } from '../../catalog/resolve.ts'
import { Failure } from '../../core/errors.ts'
import { animations } from './gif.ts'
import { coloursFor, firstLook, gifLoop, secondLook, shownAs } from './gif-graph.ts'
import { gifOptions } from './gif-options.ts'

const { make } = await bench({ id: 'ffmpeg', title: 'FFmpeg', tools: [], can: animations(['mp4', 'mkv', 'webm']) })

const film = await clip(
  'mp4',
  ['testsrc2=size=160x120:rate=25:duration=2'],
  ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
)
const to = async (ext: 'gif' | 'webp', given: Record<string, unknown> = {}, bytes: Buffer = film) =>
  (await make('convert', { ext: 'mp4', bytes, filename: 'film.mp4' }, ext, given)).files[0]!
const seen = async (bytes: Buffer) => {
  const { width, height, pages, delay = [], loop } = await sharp(bytes, { animated: true }).metadata()
  const seconds = delay.reduce((sum, each) => sum + each, 0) / 1000
  return { width, height: (height ?? 0) / (pages ?? 1), pages, seconds, loop }
}
const colours = async (bytes: Buffer) =>
  new Set((await sharp(bytes).removeAlpha().raw().toBuffer()).toString('hex').match(/.{6}/g)).size

const usual = await to('gif')

describe('a film as a GIF', () => {
  it('has twelve frames a second, plays for ever, and is as wide and long as the film', async () => {
    const { width, height, pages, seconds, loop } = await seen(usual)
    assert.deepEqual([width, height, pages, loop], [160, 120, 24, 0])
    assert.ok(Math.abs(seconds - 2) < 0.1)
  })

  it('obeys frames a second, width and the cut', async () => {
    const { pages, width, height, seconds } = await seen(
      await to('gif', {
        gif_fps: '5',
        video_custom_width_gif: 80,
        cut_start_video_to_gif: 0.5,
        cut_end_gif: '00:00:01.5',
      }),
    )
    assert.deepEqual([width, height, pages], [80, 60, 5])
    assert.ok(Math.abs(seconds - 1) < 0.05)
  })

  it('shows the part that was cut out', async () => {
    const grays = (bytes: Buffer, page: number) => sharp(bytes, { page }).resize(16, 12).greyscale().raw().toBuffer()
    const off = (a: Buffer, b: Buffer) => a.reduce((sum, value, at) => sum + Math.abs(value - b[at]!), 0) / a.length
    const part = await to('gif', { cut_start_video_to_gif: 1 })
    const [first, same, other] = [await grays(part, 0), await grays(usual, 12), await grays(usual, 0)]
    assert.ok(off(first, same) < off(first, other) / 2)
  })

  it('plays as often as was asked', async () => {
    assert.equal((await seen(await to('gif', { loop_count_video_to_gif: 1, cut_end_gif: 0.4 }))).loop, 1)
    assert.equal((await seen(await to('gif', { loop_count_video_to_gif: 3, cut_end_gif: 0.4 }))).loop, 3)
  })

  it('has fewer colours and fewer bytes the more it is compressed', async () => {
    const small = await to('gif', { video_to_gif_compression: '80' })
    assert.ok((await colours(small)) <= 51 && (await colours(usual)) > 51)
    assert.ok(small.length < usual.length)
  })

  it('imitates missing colours as it is told', async () => {
    const flat = await to('gif', { video_to_gif_dither: 'none', cut_end_gif: 0.4 })
    assert.ok(flat.length < (await to('gif', { cut_end_gif: 0.4 })).length)
  })

  it('draws only what moves over a still background', async () => {
    const still = await clip(
      'mp4',
      [
        "color=size=160x120:rate=25:duration=1,format=rgb24,geq=r='X*1.6':g='Y*2':b='X+Y'[back];" +
          "color=red:size=12x12:rate=25:duration=1[box];[back][box]overlay=x='10+t*80':y=10",
      ],
      ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-pix_fmt', 'yuv420p'],
    )
    const [plain, better] = [
      await to('gif', {}, still),
      await to('gif', { video_to_gif_optimize_static_bg: true }, still),
    ]
    assert.ok(better.length < plain.length, `${better.length} < ${plain.length}`)
  })

  it('keeps what can be seen through, unless told not to', async () => {
    const clear = await clip(
      'webm',
      ['color=red:size=64x48:rate=10:duration=0.5,format=rgba,geq=r=255:g=0:b=0:a=255*gte(X\\,32)'],
      ['-c:v', 'libvpx', '-auto-alt-ref', '0', '-deadline', 'realtime', '-pix_fmt', 'yuva420p'],
    )
    const gif = async (given: Record<string, unknown>) =>
      (await make('convert', { ext: 'webm', bytes: clear }, 'gif', given)).files[0]!
    const alpha = async (bytes: Buffer) => (await sharp(bytes).ensureAlpha().raw().toBuffer())[3]
    assert.equal(await alpha(await gif({})), 0)
    assert.equal(await alpha(await gif({ video_to_gif_transparency: false })), 255)
  })

  it('of a single picture has that picture, whichever comes of it', async () => {
    const short = await clip('mp4', ['color=red:size=64x48:rate=25:duration=0.04'], ['-c:v', 'mpeg4', '-q:v', '2'])
    for (const ext of ['gif', 'webp'] as const) {
      const made = await to(ext, {}, short)
      const { channels } = await sharp(made).stats()
      assert.deepEqual([(await seen(made)).width, channels[0]!.mean > 200, channels[2]!.mean < 60], [64, true, true])
    }
  })

  it('says what is wrong', async () => {
    await assert.rejects(
      to('gif', { cut_start_video_to_gif: 9 }),
      (error) => error instanceof Failure && /begins at 9 s, but "film.mp4" lasts only 2/.test(error.message),
    )
    const sound = await clip('mp4', ['sine=duration=0.5'])
    await assert.rejects(to('gif', {}, sound), (error) => error instanceof Failure && /no picture/.test(error.message))
    assert.match(resolve(gifOptions, { gif_fps: 500 }).issues[0]?.message ?? '', /from 1 to 50/)
  })
})

describe('a film as a moving WebP', () => {
  it('obeys frames a second, width, cut and repeats', async () => {
    const given = { webp_fps: 5, video_custom_width_webp: 80, cut_start: 0.5, cut_end: 1.5, animation_loop: 2 }
    const { width, height, pages, loop } = await seen(await to('webp', given))
    assert.deepEqual([width, height, pages, loop], [80, 60, 5, 2])
  })

  it('is smaller at a lower quality, bigger without loss, and smaller with effort', async () => {
    const short = { cut_end: 0.4 }
    const size = async (given: Record<string, unknown>) => (await to('webp', { ...short, ...given })).length
    const [low, high, exact] = [
      await size({ quality: 20 }),
      await size({ quality: 95 }),
      await size({ webp_lossless: true }),
    ]
    assert.ok(low < high)
    assert.notEqual(exact, high)
    assert.ok((await size({ webp_lossless: true, webp_effort: 0 })) > exact)
  })
})

describe('its graph', () => {
  const video = { width: 720, height: 576, rotation: 90, pixelAspect: 1, fps: 10 }

  it('counts frames, never more than the film has, as it is turned', () => {
    const stream = {
      ...video,
      kind: 'video',
      index: 0,
      codec: 'h264',
      language: null,
      title: null,
      bitrate: null,
    } as const
    const more = {
      seconds: 2,
      isDefault: true,
      vfr: false,
      frames: null,
      pixelFormat: 'yuv420p',
      hdr: false,
      transfer: '',
    } as const
    const shown = shownAs({ ...stream, ...more, cover: false, interlaced: false }, 2, { fps: 12, width: 288 })
    assert.deepEqual(shown, { width: 288, height: 360, fps: 10, frames: 20 })
  })

  it('reads a long film twice instead of holding it', () => {
    const shown = { width: 10, height: 10, fps: 5, frames: 9 }
    const palette = { colours: 64, dither: 'none', transparent: false, still: true } as const
    assert.match(firstLook(0, shown, palette), /palettegen=max_colors=64:reserve_transparent=0:stats_mode=diff\[out\]$/)
    assert.match(secondLook(0, shown, palette), /^movie=filename=palette.png\[p\];.*diff_mode=rectangle/)
    assert.deepEqual([coloursFor(0), coloursFor(80), gifLoop(0), gifLoop(1), gifLoop(3)], [256, 51, '0', '-1', '2'])
  })
})
