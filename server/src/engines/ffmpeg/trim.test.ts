import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { bench } from '../../../test/support/bench.ts'
import { clip, look, makeClips } from '../../../test/support/clips.ts'
import type { Ext } from '../../catalog/formats.ts'
import { resolve } from '../../catalog/resolve.ts'
import { Failure } from '../../core/errors.ts'
import { trimMedia } from './trim.ts'
import { joining } from './trim-graph.ts'
import { packetsOf, readPackets } from './trim-keyframes.ts'
import { piecesOf } from './trim-pieces.ts'
import { spansOf, trimOptions } from './trim-ranges.ts'

const { make } = await bench({ id: 'ffmpeg', title: 'FFmpeg', tools: [], can: trimMedia })

/** Four seconds of gray, each frame a little lighter than the one before: the frame is known by its colour. */
const RISING = "color=size=64x48:rate=25:duration=4,format=gray,geq=lum='30+N*2'"
const film = await clip(
  'mp4',
  [RISING, 'sine=frequency=440:duration=4'],
  [...'-c:v libx264 -preset ultrafast -qp 4 -g 25 -keyint_min 25 -bf 0 -pix_fmt yuv420p -c:a aac'.split(' ')],
)
const tone = await clip('wav', ['sine=frequency=440:duration=1,apad=pad_dur=1'], ['-t', '2'])

const trim = (given: Record<string, unknown>, bytes: Buffer = film, ext: Ext = 'mp4') =>
  make('trim', { ext, bytes, filename: `holiday.${ext}` }, ext, given)

async function grays(bytes: Buffer): Promise<number[]> {
  const raw = ['-vsync', 'passthrough', '-vf', 'scale=1:1:flags=area,format=gray', '-f', 'rawvideo']
  const [pixels] = await makeClips((name) => ['-i', name('in.mp4'), ...raw, name('out.raw')], ['out.raw'], {
    'in.mp4': bytes,
  })
  return [...pixels!]
}
const shades = await grays(film)

/** The number of every frame, by the nearest shade of the original. */
const numbers = async (bytes: Buffer): Promise<number[]> =>
  (await grays(bytes)).map((gray) => {
    const off = shades.map((shade) => Math.abs(shade - gray))
    return off.indexOf(Math.min(...off))
  })
const count = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index)

/** What the codec wrote, packet by packet. */
async function packets(bytes: Buffer): Promise<string[]> {
  const copied = ['-map', '0:v', '-c', 'copy', '-bsf:v', 'h264_mp4toannexb', '-f', 'framehash', '-hash', 'md5']
  const [text] = await makeClips((name) => ['-i', name('in.mp4'), ...copied, name('out.txt')], ['out.txt'], {
    'in.mp4': bytes,
  })
  return text!
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('0,'))
    .map((line) => line.split(',').at(-1)!.trim())
}

describe('trimming a film', { concurrency: 3 }, () => {
  it('is exact to the frame between key pictures', async () => {
    const { files } = await trim({ start: 0.52, end: 1.6 })
    assert.deepEqual(await numbers(files[0]!), count(13, 40))
    const { seconds, streams } = await look(files[0]!, 'mp4')
    assert.ok(Math.abs(seconds - 1.08) < 0.03)
    assert.deepEqual(streams.map(({ codec }) => codec).sort(), ['aac', 'h264'])
  })

  it('takes a duration instead of an end, and the rest without either', async () => {
    assert.deepEqual(await numbers((await trim({ start: 0.2, duration: 0.4 })).files[0]!), count(5, 15))
    assert.deepEqual(await numbers((await trim({ start: '00:00:03.4' })).files[0]!), count(85, 100))
  })

  it('joins parts in the order in which they are named', async () => {
    const { files } = await trim({ ranges: '2-2.4, 0.2-0.8,3.8-' })
    assert.deepEqual(await numbers(files[0]!), [...count(50, 60), ...count(5, 20), ...count(95, 100)])
    const { seconds } = await look(files[0]!, 'mp4')
    assert.ok(Math.abs(seconds - 1.2) < 0.05, `${seconds}`)
  })

  it('copies where the cuts lie on key pictures', async () => {
    const { files, told } = await trim({ start: 1, end: 3 })
    assert.equal(told.copied, true)
    assert.deepEqual(await numbers(files[0]!), count(25, 75))
    assert.deepEqual(await packets(files[0]!), (await packets(film)).slice(25, 75))
  })

  for (const [ext, what, coding] of [
    ['mp4', 'plain pictures', '-bf 0'],
    ['mov', 'pictures that look ahead', '-bf 3 -b_strategy 0 -refs 3'],
    ['mkv', 'pictures that look ahead', '-bf 3 -b_strategy 0 -refs 3'],
  ] as const)
    it(`writes anew only around the cuts: ${what} in ${ext}`, async () => {
      const coded = `-c:v libx264 -preset veryfast -tune zerolatency -qp 4 -g 25 -keyint_min 25 -sc_threshold 0 ${coding} -pix_fmt yuv420p -c:a aac`
      const source = await clip(ext, [RISING, 'sine=frequency=440:duration=4'], coded.split(' '))
      const { files, told } = await trim({ start: 0.52, end: 3.6 }, source, ext)
      assert.deepEqual([told.copied, told.encoded_seconds], [true, 1.08])
      assert.deepEqual(await numbers(files[0]!), count(13, 90))
      const [made, all] = [await packets(files[0]!), await packets(source)]
      assert.deepEqual(made.slice(12, 62), all.slice(25, 75))
      const { seconds, streams } = await look(files[0]!, ext)
      assert.ok(Math.abs(seconds - 3.08) < 0.05, `${seconds}`)
      assert.deepEqual(streams.map(({ codec }) => codec).sort(), ['aac', 'h264'])
    })

  it('finds the key picture in Matroska, whose pictures are sought by when they are decoded', async () => {
    const coded = '-c:v libx264 -preset veryfast -tune zerolatency -qp 4 -g 25 -keyint_min 25 -sc_threshold 0'
    const source = await clip('mkv', [RISING], `${coded} -bf 3 -b_strategy 0 -pix_fmt yuv420p`.split(' '))
    const { files, told } = await trim({ start: 1, end: 3 }, source, 'mkv')
    assert.deepEqual([told.copied, told.encoded_seconds], [true, undefined])
    assert.deepEqual(await numbers(files[0]!), count(25, 75))
  })

  it('writes all anew where what was joined does not look like the film', async () => {
    const open =
      '-c:v libx264 -preset veryfast -qp 4 -g 25 -x264-params open-gop=1 -bf 3 -b_strategy 0 -pix_fmt yuv420p'
    const source = await clip('mp4', ['testsrc2=size=64x48:rate=25:duration=4'], open.split(' '))
    const { files, told, percents } = await trim({ start: 0.52, end: 3.6 }, source, 'mp4')
    assert.equal(told.copied, undefined)
    assert.equal((await look(files[0]!, 'mp4')).streams[0]?.packets, 77)
    assert.deepEqual(
      percents,
      percents.toSorted((a, b) => a - b),
    )
  })

  it('writes anew only around the cuts of several parts', async () => {
    const { files, told } = await trim({ ranges: '1.8-3.2, 0-1.08' })
    assert.equal(told.copied, true)
    assert.deepEqual(await numbers(files[0]!), [...count(45, 80), ...count(0, 27)])
  })

  it('copies from the key picture before the start when it is to be fast', async () => {
    const { files } = await trim({ start: 1.5, end: 2.6, trim_mode: 'fast' })
    const [made, all] = [await packets(files[0]!), await packets(film)]
    assert.deepEqual(made, all.slice(25, 25 + made.length))
    assert.ok(made.length >= 27 && made.length <= 42, `${made.length} frames`)
    const joined = await trim({ ranges: '2-2.4,0-0.4', trim_mode: 'fast' })
    const two = await packets(joined.files[0]!)
    assert.ok(two.every((packet) => all.includes(packet)))
    assert.deepEqual([two[0], two.includes(all[0]!)], [all[50], true])
  })

  it('is exact in a transport stream, which has no index, and finds its key pictures', async () => {
    const [ts] = await makeClips((name) => ['-i', name('in.mp4'), '-c', 'copy', name('out.ts')], ['out.ts'], {
      'in.mp4': film,
    })
    const first = async (given: Record<string, unknown>) =>
      (await numbers((await trim(given, ts, 'ts')).files[0]!)).length
    assert.equal(await first({ start: 0.52, end: 1.6 }), 27)
    assert.ok((await first({ start: 1.5, end: 2.2, trim_mode: 'fast' })) >= 17)
  })

  it('gives the file back as it is when all of it is to stay', async () => {
    const { files, told } = await trim({ start: 0, end: 9 })
    assert.equal(told.unchanged, true)
    assert.ok(files[0]!.equals(film))
  })

  it('tells how far it is and never goes back', async () => {
    const { percents } = await trim({ start: 0.52, end: 3.6 })
    assert.equal(percents.at(-1), 100)
    assert.deepEqual(
      percents,
      percents.toSorted((a, b) => a - b),
    )
  })
})

describe('trimming sound', { concurrency: 3 }, () => {
  it('is exact to the sample where nothing is lost', async () => {
    const { files } = await trim({ start: 0.25, end: 0.75 }, tone, 'wav')
    const samples = (bytes: Buffer) => bytes.subarray(bytes.indexOf('data') + 8)
    const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
    const rate = 44_100
    assert.equal(digest(samples(files[0]!)), digest(samples(tone).subarray(rate * 0.25 * 2, rate * 0.75 * 2)))
  })

  it('joins parts of files that do not say which channel is which', async () => {
    const tta = await clip('tta', ['sine=frequency=440:duration=1'])
    const { files } = await trim({ ranges: '0-0.2,0.5-0.9' }, tta, 'tta')
    assert.ok(Math.abs((await look(files[0]!, 'tta')).seconds - 0.6) < 0.02)
  })

  it('joins parts, and copies when it is to be fast', async () => {
    const mp3 = await clip('mp3', ['sine=frequency=440:duration=3'])
    const joined = await look((await trim({ ranges: '0-0.5,2-2.5' }, mp3, 'mp3')).files[0]!, 'mp3')
    assert.ok(Math.abs(joined.seconds - 1) < 0.1)
    const fast = (await trim({ start: 1, end: 2, trim_mode: 'fast' }, mp3, 'mp3')).files[0]!
    // A frame of the original, bytes and all.
    assert.ok(mp3.includes(fast.subarray(fast.length - 400, fast.length - 100)))
  })
})

describe('what cannot be trimmed', () => {
  const refused = (given: Record<string, unknown>, words: RegExp) =>
    assert.rejects(trim(given), (error) => error instanceof Failure && words.test(error.message))

  it('is said in words', async () => {
    await refused({ start: 9 }, /begins at 9 s, but "holiday.mp4" lasts only 4/)
    await refused({ start: 2, end: 1 }, /ends at 1 s, which is not after its start at 2 s/)
    await refused({ ranges: '0-1', end: 2 }, /start, end and duration cannot be given beside it/)
    await refused({ ranges: '0-1,9-10' }, /begins at 9 s/)
  })

  it('is refused before anything is done where the words make no sense', () => {
    for (const [given, words] of [
      [{ ranges: '5' }, /must be times like/],
      [{ ranges: '0-1;rm' }, /must be times like/],
      [{ trim_mode: 'maybe' }, /must be one of precise, fast/],
      [{ start: -1 }, /must be a time/],
    ] as const)
      assert.match(resolve(trimOptions, given).issues[0]?.message ?? '', words)
  })
})

describe('its parts', () => {
  const wishes = { start: 0, end: undefined, duration: undefined, ranges: undefined, trim_mode: 'precise' } as const

  it('are read as seconds and end with the file', () => {
    assert.deepEqual(spansOf({ ...wishes, ranges: '1:30 - 00:01:40.5 , 95-' }, 100, 'x'), [
      { start: 90, end: 100 },
      { start: 95, end: 100 },
    ])
  })

  it('are copied only between clean key pictures', () => {
    const list = readPackets(
      'packet,0.000000,K_\npacket,0.040000,__\npacket,0.080000,K_\npacket,0.120000,__\nformat,0.0\n',
    )
    assert.equal(packetsOf(list, { start: 0, end: 0.08 }, 0.16, 0.02), 2)
    assert.equal(packetsOf(list, { start: 0.08, end: 0.16 }, 0.16, 0.02), 2)
    assert.equal(packetsOf(list, { start: 0.04, end: 0.08 }, 0.16, 0.02), null)
    assert.equal(packetsOf(list, { start: 0, end: 0.04 }, 0.16, 0.02), null)
    // A picture that is decoded after the key one and shown before it.
    const open = [...list, { time: 0.06, key: false }]
    assert.equal(packetsOf(open, { start: 0, end: 0.08 }, 0.16, 0.02), null)
  })

  it('are copied from the first clean key picture to the last', () => {
    const times = [0, 0.04, 0.08, 0.12, 0.16, 0.2, 0.24, 0.28]
    const plain = times.map((time, index) => ({ time, key: index % 2 === 0 }))
    assert.deepEqual(piecesOf(plain, { start: 0.04, end: 0.28 }), [
      { from: 0.04, pictures: 1, copy: false },
      { from: 0.08, pictures: 4, copy: true },
      { from: 0.24, pictures: 1, copy: false },
    ])
    assert.deepEqual(piecesOf(plain, { start: 0.12, end: 9 })?.slice(1), [{ from: 0.16, pictures: 4, copy: true }])
    assert.equal(piecesOf(plain, { start: 0.04, end: 0.12 }), null)
    // The picture at 0.12 is decoded behind the key at 0.16, and shown before it: nothing can begin there.
    const ahead = [...plain.slice(0, 3), plain[4]!, plain[3]!, ...plain.slice(5)]
    assert.deepEqual(piecesOf(ahead, { start: 0.12, end: 9 }), null)
  })

  it('are put together by numbers only', () => {
    const streams = { video: 0, audio: [{ index: 1, layout: null }] }
    const first = { start: 1, end: 2 }
    const cut = '[0:0]trim=start=1:end=2,setpts=PTS-STARTPTS[v];[0:1]atrim=start=1:end=2,asetpts=PTS-STARTPTS[a0]'
    assert.equal(joining([first], streams, false).filter, cut)
    const { filter, maps } = joining([first, { start: 0, end: 1 }], streams, true)
    const parts = '[0:0]null[v_0];[0:1]anull[a0_0];[1:0]null[v_1];[1:1]anull[a0_1]'
    assert.equal(filter, `${parts};[v_0][a0_0][v_1][a0_1]concat=n=2:v=1:a=1[v][a0]`)
    assert.deepEqual(maps, ['-map', '[v]', '-map', '[a0]'])
  })
})
