/** Compares two films picture by picture, with ffmpeg outside any box. */
import assert from 'node:assert/strict'
import { makeClips } from './clips.ts'

/** When pictures are shown, counted from the first. */
export async function timesOf(bytes: Uint8Array, ext: string): Promise<number[]> {
  const [text] = await makeClips(
    (name) => ['-i', name(`in.${ext}`), '-map', '0:v', '-c', 'copy', '-f', 'framehash', name('out.txt')],
    ['out.txt'],
    { [`in.${ext}`]: bytes },
  )
  const [, above = 1, below = 1] = /^#tb 0: (\d+)\/(\d+)/m.exec(String(text))?.map(Number) ?? []
  const shown = [...String(text).matchAll(/^0,[^,]+, *(-?\d+),/gm)].map(([, pts]) => (Number(pts) * above) / below)
  return shown.sort((a, b) => a - b).map((time, _, all) => time - all[0]!)
}

/** How much each picture is like the one of the original with the same number. */
export async function likenesses(made: Uint8Array, to: string, original: Uint8Array, from: string): Promise<number[]> {
  const number = 'scale=96:72,settb=AVTB,setpts=N*40000'
  const [text] = await makeClips(
    (name) => [
      ...['-i', name(`made.${to}`), '-i', name(`original.${from}`), '-fps_mode', 'passthrough', '-filter_complex'],
      ...[`[0:v]${number}[a];[1:v]${number}[b];[a][b]ssim=stats_file=${name('like.txt')}`, '-f', 'null', '-'],
    ],
    ['like.txt'],
    { [`made.${to}`]: made, [`original.${from}`]: original },
  )
  return [...String(text).matchAll(/All:([\d.]+)/g)].map(([, like]) => Number(like))
}

/** Fails where one picture is missing, doubled, at another time or not what it was. */
export async function assertSameFilm(
  made: Uint8Array,
  to: string,
  original: Uint8Array,
  from: string,
  least: number,
): Promise<void> {
  const [times, wanted] = [await timesOf(made, to), await timesOf(original, from)]
  assert.equal(times.length, wanted.length)
  for (const [index, time] of times.entries())
    assert.ok(Math.abs(time - wanted[index]!) < 0.002, `picture ${index} is shown at ${time}, not ${wanted[index]}`)
  const like = await likenesses(made, to, original, from)
  assert.equal(like.length, wanted.length)
  // One of another moment would be far below.
  assert.ok(Math.min(...like) > least, `the least alike is ${Math.min(...like)}`)
}
