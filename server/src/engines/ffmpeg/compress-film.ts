/** Makes a film smaller: one encoding of it, or as many as reaching a size takes. */
import type { Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import { removeMade } from '../kit/hop-files.ts'
import { sizeOf } from '../kit/reach.ts'
import { encodeArgs, type Rate, tagArgs } from './compress-encoders.ts'
import { type Landed, land } from './compress-landing.ts'
import { type Film, type Rung, rungs, type Size, type Sound, scaledSize, unreachable } from './compress-plan.ts'
import { smoothArgs } from './compress-sound-args.ts'
import { type Container, containerOf, isWritable } from './containers.ts'
import { CRF, type Speed, TWO_PASS, type VideoEncoder } from './encoders.ts'
import { audioOf, type Media, type VideoStream } from './media.ts'
import { inParts, type Parting } from './part-film.ts'
import { isJoinable } from './part-order.ts'
import { ffmpeg } from './run.ts'

export type Running = Omit<Work, 'options'>

export interface Source {
  media: Media
  video: VideoStream
  encoder: VideoEncoder
  speed: Speed
  plain: boolean
}

/** One encoding. */
export interface Making {
  rate: Rate
  size: Size
  sound: Sound
  name: string
  share: readonly [from: number, to: number]
  /** The only one: it may be done on several machines. */
  only?: true
}

const DEEP = /1[0-6](?:le|be)$/

export function containerFor(work: Pick<Work, 'to'>): Container {
  if (isWritable(work.to)) return containerOf(work.to)
  throw new Failure('processing_failed', `Films cannot be written as ${work.to}.`)
}

/** The picture at its size. Pixels that were square stay so; others keep the proportions of the whole. */
function scaling(video: VideoStream, { width, height }: Size): string[] {
  const turned = video.rotation % 180 !== 0
  const [across, down] = turned ? [video.height, video.width] : [video.width, video.height]
  if (across === width && down === height) return []
  const square = video.pixelAspect === 1 ? ',setsar=1' : ''
  return ['-vf', `scale=${width}:${height}:flags=bicubic${square}`]
}

/** So little is enough for one channel only. */
const ONE_CHANNEL = 32_000

function soundArgs({ audio }: Container, { copy, bitrate }: Sound): string[] {
  if (audio === null || copy) return ['-c:a', 'copy']
  const [encoder] = audio.encoders
  const channels = bitrate <= ONE_CHANNEL ? 1 : 2
  return [...smoothArgs(encoder, bitrate, channels), ...(channels === 1 ? ['-ac', '1'] : [])]
}

export async function make(work: Running, source: Source, making: Making): Promise<void> {
  const { media, video, encoder, speed, plain } = source
  const { rate, size, sound, name, share } = making
  const container = containerFor(work)
  const looks = 'pass' in rate && rate.pass === 1
  const encode = { encoder, rate, speed, plain, deep: DEEP.test(video.pixelFormat), to: work.to }
  const rest = [
    '-map',
    '0:a?',
    ...soundArgs(container, sound),
    ...(container.subtitles ? ['-map', '0:s?', '-c:s', 'copy'] : []),
  ]
  const tag = tagArgs(encode)
  const file = [...container.flags, '-f', container.muxer, name]
  const coded = [...scaling(video, size), ...encodeArgs(encode)]
  const run = (after: readonly string[], of = share) => ffmpeg(work, { after, seconds: media.seconds, share: of })
  const whole = ['-map', `0:${video.index}`]
  if (looks) return void (await run([...whole, '-an', '-sn', ...coded, '-f', 'null', '-']))
  // Where the quality is the same all over, no picture hangs on another.
  if (making.only && 'crf' in rate && !rate.cap && isJoinable(container, encoder)) {
    const copied = ['-map', '1:0', '-map_metadata:s:v:0', `0:s:${video.index}`, '-c:v', 'copy', ...tag]
    const join: Parting['join'] = (film, of) => run([...film, ...copied, ...rest, ...file], of)
    if (await inParts(work, { video, picture: [...whole, ...coded], output: name, join })) return
  }
  await run([...whole, ...rest, ...coded, ...tag, ...file])
}

/** A rate no encoder can hold to means: as small as it goes. */
async function makeAtLeast(work: Running, source: Source, making: Making): Promise<void> {
  try {
    await make(work, source, making)
  } catch (error) {
    if (!(error instanceof Failure) || !/bitrate is too low/.test(error.detail ?? '')) throw error
    const [, at] = making.share
    await make(work, source, { ...making, rate: { crf: CRF[source.encoder].max }, share: [at, at] })
  }
}

/** Shares of the whole for an unknown number of runs: each takes a part of what is left. */
function createShares(): (part: number) => readonly [from: number, to: number] {
  let at = 0
  return (part) => {
    const from = at
    at += (99 - at) * part
    return [from, at]
  }
}

export const filmOf = ({ media, video }: Pick<Source, 'media' | 'video'>): Film => {
  const { width, height } = video
  const sounds = media.streams.filter(({ kind }) => kind === 'audio').length
  return {
    size: video.rotation % 180 === 0 ? { width, height } : { width: height, height: width },
    fps: video.fps ?? 25,
    seconds: media.seconds ?? 0,
    sounds,
    soundRate: audioOf(media)?.bitrate ?? null,
  }
}

export interface Reached {
  name: string
  bytes: number
  rung: Rung
}

/** What a file has beside the streams, roughly: it is corrected by what comes out. */
const overhead = ({ fps, seconds }: Film): number => 1500 + 10 * fps * seconds

/** Where an encoder jumps over the size, a picture a little smaller makes it jump elsewhere. */
const NEARBY = [1, 0.96, 0.92]

/** AV1 is not written for less. */
const LEAST_SIDE = 64
export const tooSmall = ({ width, height }: Size): boolean => Math.min(width, height) < LEAST_SIDE

/** @param strict fails where the size cannot be reached; else the smallest is answered */
export async function reachBytes(work: Running, source: Source, bytes: number, strict: boolean): Promise<Reached> {
  const film = filmOf(source)
  if (film.seconds <= 0)
    throw new Failure(
      'processing_failed',
      `How long "${work.input.filename}" lasts cannot be told: no size can be aimed at.`,
    )
  const attempt = createAttempts(work, source, film, bytes)
  for (const rung of rungs(bytes, film, source.encoder)) {
    for (const nearby of NEARBY) {
      if (nearby < 1 && tooSmall(scaledSize(film.size, rung.scale * nearby))) break
      const end = await attempt.at({ ...rung, scale: rung.scale * nearby })
      if (end === 'missed') break
      if (end !== 'jumped' && attempt.found.best) return attempt.found.best
    }
    if (attempt.found.best) return attempt.found.best
  }
  const { least } = attempt.found
  if (strict || least === null) throw unreachable(work.input.filename, bytes, least?.bytes ?? 0)
  return least
}

interface Found {
  best: Reached | null
  least: Reached | null
}

/** Tries with one picture size and sound after the other; keeps count, shares and the files worth keeping. */
function createAttempts(work: Running, source: Source, film: Film, bytes: number) {
  const found: Found = { best: null, least: null }
  const shares = createShares()
  const pass = TWO_PASS.has(source.encoder) ? 2 : 0
  let attempts = 0

  async function at(rung: Rung): Promise<Landed['end']> {
    const size = scaledSize(film.size, rung.scale)
    const fixed = (rung.sound.bitrate * film.sounds * film.seconds) / 8 + overhead(film)
    let looked = false
    const landed = await land({ bytes, seconds: film.seconds, fixed, ...RATES }, async (bitrate) => {
      const name = `try-${attempts++}.${work.to}`
      const making = { size, sound: rung.sound, name }
      if (pass === 2 && !looked) await make(work, source, { ...making, rate: { bitrate, pass: 1 }, share: shares(0.3) })
      looked = true
      await makeAtLeast(work, source, { ...making, rate: { bitrate, pass }, share: shares(0.6) })
      const made: Reached = { name, bytes: await sizeOf(work, name), rung }
      await keep(work, found, made, bytes)
      return made.bytes
    })
    return landed.end
  }
  return { at, found }
}

/** Bits a second between which the pictures are tried. */
const RATES = { least: 2000, most: 400_000_000 }

/** Of all that was tried only the best that fits and the smallest stay on the disk. */
async function keep(work: Running, found: Found, made: Reached, bytes: number): Promise<void> {
  const before = [found.best, found.least, made]
  if (made.bytes <= bytes && made.bytes > (found.best?.bytes ?? 0)) found.best = made
  if (made.bytes < (found.least?.bytes ?? Number.POSITIVE_INFINITY)) found.least = made
  for (const old of before) if (old && old !== found.best && old !== found.least) await removeMade(work, old.name)
}
