/**
 * A long film in parts, each coded wherever there is room, and joined here with the sound, which is coded in one piece. What
 * comes of it is compared with the film by the times of all pictures; where one is off it is not taken.
 */
import { join } from 'node:path'
import type { InputFile, Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import { putFile, removeMade } from '../kit/hop-files.ts'
import { tool } from '../kit/tool.ts'
import type { VideoStream } from './media.ts'
import { orderOf, SEEKS } from './part-order.ts'
import { isSameFilm, isSteady, listOf, type Pictures, type Stretch, stretchesOf } from './part-stretches.ts'
import { FFPROBE } from './probe.ts'
import { packetsText } from './trim-keyframes.ts'

type Job = Omit<Work, 'options'>

export interface Parting {
  video: VideoStream
  /** Arguments that map the picture and code it. */
  picture: readonly string[]
  /** Writes the result; `film` stands for a further input whose only stream is the picture, coded. */
  join(film: readonly string[], share: readonly [from: number, to: number]): Promise<unknown>
  output: string
}

/** Percent of the work behind it when the parts are there. */
const PARTS = 90
/** Beyond these there is too much to compare. */
const MOST_PICTURES = 2_000_000
const LIST = 'parts.txt'

/** Null where some have no time, or there are too many. */
async function picturesOf(work: Job, file: InputFile, { index, fps, seconds }: VideoStream): Promise<Pictures | null> {
  if ((fps ?? 25) * (seconds ?? 0) > MOST_PICTURES) return null
  const text = await packetsText({ ...work, input: file, inputs: [file] }, index, [])
  const begins = Number(/^format,(-?[\d.]+)/m.exec(text)?.[1] ?? 0)
  const times: number[] = []
  const keys: number[] = []
  for (const [, time, key, hidden] of text.matchAll(/^packet,([^,\n]*),([K_])([D_])/gm)) {
    if (hidden === 'D') continue
    const shown = Number(time) - begins
    if (Number.isNaN(shown)) return null
    times.push(shown)
    if (key === 'K') keys.push(shown)
  }
  const ascending = (a: number, b: number): number => a - b
  return { times: times.sort(ascending), keys: keys.sort(ascending) }
}

/** What stands before all pictures: a player takes it from the first part for all of them. */
async function headerOf(work: Job, name: string): Promise<string> {
  const { stdout } = await tool(work, {
    program: FFPROBE,
    args: () => [
      ...['-v', 'error', '-protocol_whitelist', 'file', '-format_whitelist', 'nut', '-f', 'nut'],
      ...['-show_entries', 'stream=codec_name,width,height,extradata_hash', '-show_data_hash', 'sha256'],
      ...['-of', 'csv=p=0', '-i', name],
    ],
  })
  return stdout.trim()
}

async function areAlike(work: Job, names: readonly string[]): Promise<boolean> {
  const headers = new Set<string>()
  for (const name of names) headers.add(await headerOf(work, name))
  return headers.size === 1
}

async function put(
  work: Job,
  parting: Parting,
  { times }: Pictures,
  stretches: readonly Stretch[],
  names: readonly string[],
) {
  if (!(await areAlike(work, names))) return false
  await putFile(work, LIST, listOf(stretches, names))
  const reader = ['-protocol_whitelist', 'file', '-format_whitelist', 'concat,nut', '-f', 'concat']
  await parting.join(['-itsoffset', (times[0] ?? 0).toFixed(6), ...reader, '-i', LIST], [PARTS, 100])
  const made: InputFile = { ...work.input, path: join(work.dir, parting.output), format: work.to }
  const film = await picturesOf(work, made, { ...parting.video, index: 0 })
  return film !== null && isSameFilm(times, film.times)
}

/** False where it has to be done in one piece: it is short, nobody else is there, or the parts did not fit. */
export async function inParts(work: Job, parting: Parting): Promise<boolean> {
  const { spread, input } = work
  const { video } = parting
  const long = spread && (video.seconds ?? Number.POSITIVE_INFINITY) >= 2 * spread.seconds
  if (!spread || !long || !SEEKS.has(input.format)) return false
  const pictures = await picturesOf(work, input, video)
  const stretches = pictures ? stretchesOf(pictures, spread.seconds) : []
  if (!pictures || stretches.length === 0) return false
  const steady = isSteady(pictures.times)
  const last = pictures.times.at(-1) ?? 0
  const orders = stretches.map((each) => orderOf(each, parting.picture, steady, (each.next ?? last) - each.at))
  const names = await spread.hand(orders, (percent) => work.progress((percent * PARTS) / 100))
  const fits = await put(work, parting, pictures, stretches, names).catch((error) => {
    if (error instanceof Failure && !work.signal.aborted) return false
    throw error
  })
  for (const name of names) await removeMade(work, name)
  work.tell('parts', fits ? stretches.length : 1)
  if (!fits) work.tell('parts_refused', 'The parts did not make the same film. It was made in one piece.')
  return fits
}
