/** Looks into a file with ffprobe, once, before anything is done with it. Refuses what holds nothing or is too big. */
import type { InputFile, MediaLimits, Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import { readMade, removeMade } from '../kit/hop-files.ts'
import { type Running, tool } from '../kit/tool.ts'
import { keepWarm } from '../kit/warm.ts'
import { guards } from './demuxers.ts'
import { explain } from './explain.ts'
import { type Media, parseMedia, shownSize } from './media.ts'

export const FFPROBE = '/usr/bin/ffprobe'

const GB = 2 ** 30
const LIMITS = { wall: 60_000, cpu: 60, memory: 2 * GB, output: 16 * 2 ** 20 }

const warm = keepWarm('ffprobe', FFPROBE)
const TOLD = 'probe.json'

type Looking = Running & Pick<Work, 'input' | 'limits' | 'ask' | 'dir'>

/** By the one that is warm, where there is one, else by one of its own. */
async function look(work: Looking, index: number, file: InputFile): Promise<{ stdout: string; stderr: string }> {
  const args = (path: string): string[] => [
    ...['-v', 'error', '-hide_banner', ...guards(file.format, work.limits.pixels)],
    ...['-show_format', '-show_streams', '-show_chapters', '-of', 'json', '-i', `file:${path}`],
  ]
  const reason = (words: string): string | null => explain(words, file.filename)
  const said = await warm(work, { input: file, output: TOLD, fromStdout: true, args })
  if (said === null)
    return await tool(work, {
      ...{ program: FFPROBE, limits: LIMITS, explain: reason },
      args: (inputs) => args(inputs[index] ?? ''),
    })
  const { ok, words } = said
  const usual = `"${file.filename}" could not be read: it is damaged, incomplete or uses something that is not supported.`
  if (!ok) throw new Failure('processing_failed', reason(words) ?? usual, words)
  const stdout = await readMade(work, TOLD)
  await removeMade(work, TOLD)
  return { stdout, stderr: words }
}

/** @param index which of the inputs */
export async function probe(work: Looking, index = 0): Promise<Media> {
  const file = work.inputs[index] ?? work.input
  const { stdout, stderr } = await look(work, index, file)
  const [, across, down] = /Picture size (\d+)x(\d+) /.exec(stderr)?.map(Number) ?? []
  if (across && down && across * down > work.limits.pixels) throw tooBig(file.filename, across, down, work.limits)
  const media = parseMedia(stdout, file.size)
  if (media === null || media.streams.every(({ kind }) => kind === 'other'))
    throw new Failure('processing_failed', `There is no sound and no picture in "${file.filename}".`, stdout)
  refuseHuge(media, work.limits, file.filename)
  return media
}

const amount = (value: number, unit: string): string => `${Number(value.toFixed(1))} ${unit}${value === 1 ? '' : 's'}`
const inWords = (seconds: number): string =>
  seconds >= 7200
    ? amount(seconds / 3600, 'hour')
    : seconds >= 120
      ? amount(seconds / 60, 'minute')
      : amount(seconds, 'second')

const counted = (pixels: number): string =>
  pixels < 1e6 ? String(pixels) : `${Number((pixels / 1e6).toFixed(2))} million`

const tooBig = (filename: string, width: number, height: number, { pixels }: MediaLimits): Failure =>
  new Failure(
    'processing_failed',
    `The picture of "${filename}" has ${width} × ${height} pixels; this server takes at most ${counted(pixels)}.`,
  )

function refuseHuge({ seconds, streams }: Media, most: MediaLimits, filename: string): void {
  if (seconds !== null && seconds > most.seconds)
    throw new Failure(
      'processing_failed',
      `"${filename}" lasts ${inWords(seconds)}; this server takes at most ${inWords(most.seconds)}.`,
    )
  for (const stream of streams) {
    if (stream.kind !== 'video') continue
    const { width, height } = shownSize(stream)
    if (width * height > most.pixels) throw tooBig(filename, width, height, most)
  }
}
