/** Conversions to video and to sound: looks into the file, plans, and carries the plan out. */
import type { Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import { putFile, sizeOfMade } from '../kit/hop-files.ts'
import { beforeArgs, coverOnlyArgs, firstPassArgs, holdsFiles, otherArgs, outputArgs, partArgs } from './args.ts'
import { containerOf, isWritable } from './containers.ts'
import { isHardware } from './encoders.ts'
import { present } from './hardware.ts'
import type { Media } from './media.ts'
import { moveStreams } from './move.ts'
import { inParts, type Parting } from './part-film.ts'
import { isPartable } from './part-order.ts'
import { copies, plan } from './plan.ts'
import { BURNT, subtitlesOf } from './plan-subtitles.ts'
import type { Added, Other, Plan, Target } from './planned.ts'
import { probe } from './probe.ts'
import { ffmpeg } from './run.ts'
import type { Wishes } from './wishes.ts'

const KINDS = [
  [/^\ufeff?WEBVTT(?:\s|$)/, 'webvtt'],
  [/^\ufeff?\s*\[Script Info\]/i, 'ass'],
  [/^\ufeff?\s*\d+\s*\r?\n\s*\d+:\d\d:\d\d[,.]\d/, 'srt'],
] as const

/** Puts the text of subtitles where ffmpeg can read it. */
async function addSubtitles(work: Work, text: string | undefined): Promise<Added | null> {
  if (text === undefined || text.trim() === '') return null
  const [, demuxer] = KINDS.find(([pattern]) => pattern.test(text)) ?? []
  if (demuxer === undefined)
    throw new Failure('processing_failed', 'subtitle_add is not the text of an SRT, WebVTT or ASS file.')
  const file = `added.${demuxer}`
  await putFile(work, file, text)
  return { demuxer, file }
}

/** Text to be drawn goes into a file of its own first, under a name of ours: filters read files, and name them. */
async function prepareBurnt(work: Work, media: Media, { burn, added, cut }: Plan, wishes: Wishes): Promise<void> {
  if (burn === null || !('text' in burn)) return
  const times = [
    ...(cut.start > 0 ? ['-ss', String(cut.start)] : []),
    ...(cut.length === null ? [] : ['-t', String(cut.length)]),
  ]
  const stream = subtitlesOf(media)[wishes.subtitleTrack]
  const source =
    added === null
      ? ['-map', `0:${stream?.index ?? 0}`]
      : ['-protocol_whitelist', 'file', '-f', added.demuxer, ...times, '-i', `file:${added.file}`, '-map', '1:0']
  await ffmpeg(work, {
    before: times,
    after: [...source, '-c:s', 'ass', '-f', 'ass', `file:${BURNT}`],
    seconds: null,
    share: [0, 0],
  })
}

/** Some containers hold the cover as a file of its own. */
async function prepareCover(work: Work, planned: Plan): Promise<void> {
  if (planned.cover === null || !holdsFiles(planned)) return
  await ffmpeg(work, { after: coverOnlyArgs(planned), seconds: null, share: [0, 0] })
}

async function carryOut(work: Work, planned: Plan): Promise<string> {
  const film = beforeArgs(planned)
  const before = (index: number): string[] => (index === 0 ? film : otherArgs(planned))
  const { picture, seconds, ext } = planned
  const name = `out.${ext}`
  if (isPartable(planned)) {
    const whole = { video: planned.picture.stream, picture: partArgs(planned), output: name }
    const join: Parting['join'] = (joined, share) =>
      ffmpeg(work, { before, after: outputArgs(planned, null, joined), seconds, share })
    if (await inParts(work, { ...whole, join })) return name
  }
  const twice = picture !== null && !picture.copy && picture.twoPass
  if (twice) await ffmpeg(work, { before, after: firstPassArgs(planned), seconds, share: [0, 50] })
  if (!(await moveStreams(work, planned, name)))
    await ffmpeg(work, { before, after: outputArgs(planned, twice ? 2 : null), seconds, share: [twice ? 50 : 0, 100] })
  if ((await sizeOfMade(work, name)) === 0)
    throw new Failure('processing_failed', `Nothing of "${work.input.filename}" could be read: it is damaged or empty.`)
  return name
}

function tellPlan(work: Work, { picture, sound, leftOut }: Plan): void {
  const copied = [...(picture?.copy ? ['video'] : []), ...(sound.some(({ copy }) => copy) ? ['audio'] : [])]
  if (copied.length > 0) work.tell('copied', copied)
  if (leftOut.length > 0) work.tell('left_out', [...leftOut])
}

/** The second input, whose sound the film shall have. */
async function otherOf(work: Work): Promise<Other> {
  const [, second] = work.inputs
  if (second === undefined)
    throw new Failure('processing_failed', 'video_replace_audio needs a second input, which brings the sound.')
  return { media: await probe(work, 1), filename: second.filename }
}

/** @param subtitles text of subtitles to add */
export async function convertMedia(work: Work, wishes: Wishes, subtitles?: string): Promise<readonly string[]> {
  const { to, input } = work
  if (!isWritable(to)) throw new Failure('processing_failed', `${to} cannot be written.`)
  const media = await probe(work)
  const other = wishes.otherSound ? await otherOf(work) : null
  const alone = { ...work, inputs: [input] }
  const { encoder } = wishes.picture
  const target: Target = {
    ext: to,
    container: containerOf(to),
    filename: input.filename,
    added: await addSubtitles(work, subtitles),
    other,
    present: isHardware(encoder) ? await present(work, encoder) : null,
  }
  const first = plan(media, wishes, target)
  await prepareBurnt(alone, media, first, wishes)
  await prepareCover(alone, first)
  try {
    const name = await carryOut(work, first)
    tellPlan(work, first)
    return [name]
  } catch (error) {
    // Some streams cannot be put elsewhere as they are, whatever their codec: then they are coded anew.
    const again = plan(media, wishes, { ...target, neverCopy: true })
    if (!copies(first) || copies(again) || work.signal.aborted) throw error
    const name = await carryOut(work, again)
    tellPlan(work, again)
    return [name]
  }
}
