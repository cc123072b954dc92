/** A plan as arguments of ffmpeg. Pure; names of files are ours. */
import { isHardware, passArgs, videoArgs } from './encoders.ts'
import { hardwareArgs } from './hardware.ts'
import type { CodedPicture, Plan } from './planned.ts'

/** Before the input: where to begin, and how much of it to read. */
export const beforeArgs = ({ cut, picture, sound }: Plan): string[] => [
  // What is copied needs times, and some old files have none.
  ...(picture?.copy || sound.some(({ copy }) => copy) ? ['-fflags', '+genpts'] : []),
  ...(cut.start > 0 ? ['-ss', String(cut.start)] : []),
  ...(cut.length === null ? [] : ['-t', String(Number(cut.length.toFixed(6)))]),
]

/** The same before the second input, which brings the sound. */
export const otherArgs = ({ cut, sound, other }: Plan): string[] => [
  ...(sound.some(({ copy }) => copy) ? ['-fflags', '+genpts'] : []),
  ...(cut.start > 0 ? ['-ss', String(cut.start)] : []),
  ...(other === null || other.seconds === null ? [] : ['-t', String(Number(other.seconds.toFixed(6)))]),
]

/** Apple's players ask for this name. */
const HEVC_TAG = ['-tag:v:0', 'hvc1']
const MOV_FAMILY = new Set(['mp4', 'mov', 'ipod'])

const tagged = ({ container, picture }: Plan): string[] => {
  const codec = picture?.copy ? picture.stream.codec : picture?.encoder
  const hevc = codec === 'hevc' || codec === 'libx265' || codec?.startsWith('hevc_')
  return hevc && MOV_FAMILY.has(container.muxer) ? HEVC_TAG : []
}

const light = ({ deep, stream }: CodedPicture): string[] =>
  deep
    ? ['-color_primaries:v:0', 'bt2020', '-color_trc:v:0', stream.transfer, '-colorspace:v:0', 'bt2020nc']
    : stream.hdr
      ? ['-color_primaries:v:0', 'bt709', '-color_trc:v:0', 'bt709', '-colorspace:v:0', 'bt709']
      : []

const coding = (picture: CodedPicture): string[] =>
  isHardware(picture.encoder)
    ? hardwareArgs(picture.encoder, picture.quality)
    : videoArgs(picture.encoder, picture.quality)

/** Pictures drawn over the film join it before everything else. */
function filtered(plan: Plan, picture: CodedPicture): string[] {
  const chain = picture.filters.join(',')
  if (plan.burn === null || 'text' in plan.burn) return ['-map', `0:${picture.stream.index}`, '-filter:v:0', chain]
  const graph = `[0:${picture.stream.index}][0:${plan.burn.pictures}]overlay=eof_action=pass,${chain}[film]`
  return ['-filter_complex', graph, '-map', '[film]']
}

/** The picture alone, as a part of it is coded. */
export const partArgs = (plan: Plan & { picture: CodedPicture }): string[] => [
  ...filtered(plan, plan.picture),
  ...coding(plan.picture),
  ...light(plan.picture),
]

/** A further input behind all others, which brings the picture as it is coded already. */
function joinedArgs(plan: Plan, film: readonly string[]): string[] {
  const { other, strip, picture } = plan
  const place = 1 + (other === null ? 0 : 1) + (addedArgs(plan).length === 0 ? 0 : 1)
  const said = strip || picture === null ? [] : ['-map_metadata:s:v:0', `0:s:${picture.stream.index}`]
  return [...film, '-map', `${place}:0`, '-c:v:0', 'copy', ...said, ...tagged(plan)]
}

function pictureArgs(plan: Plan, pass: 1 | 2 | null): string[] {
  const { picture } = plan
  if (picture === null) return []
  if (picture.copy) return ['-map', `0:${picture.stream.index}`, '-c:v:0', 'copy', ...tagged(plan)]
  const twice = pass === null || isHardware(picture.encoder) ? [] : passArgs(picture.encoder, pass)
  return [...filtered(plan, picture), ...coding(picture), ...twice, ...light(picture), ...tagged(plan)]
}

/** `-b:a` for one of several tracks: `-b:a:1`. */
const forTrack = (args: readonly string[], track: number): string[] =>
  args.map((arg) => {
    if (/^-[a-z]+:a$/.test(arg)) return `${arg}:${track}`
    return /^-[a-z]+$/.test(arg) ? `${arg}:a:${track}` : arg
  })

const soundArgs = ({ sound, other }: Plan): string[] =>
  sound.flatMap((part, track) => {
    const map = ['-map', `${other === null ? 0 : 1}:${part.stream.index}`]
    if (part.copy) return [...map, `-c:a:${track}`, 'copy']
    const filters = part.filters.length === 0 ? [] : [`-filter:a:${track}`, part.filters.join(',')]
    return [...map, ...forTrack(part.coding, track), ...filters]
  })

/** What was added stands behind all inputs. */
const subtitleArgs = ({ subtitles, other }: Plan): string[] =>
  subtitles.flatMap(({ from, encoder }, track) => [
    ...['-map', from === 'added' ? `${other === null ? 1 : 2}:0` : `0:${from}`],
    ...[`-c:s:${track}`, encoder],
  ])

/** Where the cover lies for a container that holds it as a file. */
export const COVER = 'cover.jpg'
export const holdsFiles = ({ container }: Plan): boolean => container.muxer === 'matroska'

/** Files within the file: those that were there, and the cover. */
function fileArgs(plan: Plan): string[] {
  const { attached, cover } = plan
  const kept = attached.flatMap((index, at) => ['-map', `0:${index}`, `-c:t:${at}`, 'copy'])
  if (cover === null || !holdsFiles(plan)) return kept
  const place = `-metadata:s:t:${attached.length}`
  return [...kept, '-attach', COVER, place, 'mimetype=image/jpeg', place, `filename=${COVER}`]
}

/** The cover alone, as a JPEG. */
export const coverOnlyArgs = ({ cover }: Plan): string[] =>
  cover === null
    ? []
    : [
        ...[
          '-map',
          `0:${cover.stream.index}`,
          '-frames:v',
          '1',
          '-c:v',
          cover.stream.codec === 'mjpeg' ? 'copy' : 'mjpeg',
        ],
        ...['-q:v', '3', '-pix_fmt', 'yuvj420p', '-f', 'image2', '-update', '1', `file:${COVER}`],
      ]

function coverArgs(plan: Plan): string[] {
  const { cover, picture } = plan
  if (cover === null || holdsFiles(plan)) return []
  const place = picture === null ? 0 : 1
  const coded = cover.copy ? 'copy' : 'mjpeg'
  return ['-map', `0:${cover.stream.index}`, `-c:v:${place}`, coded, `-disposition:v:${place}`, 'attached_pic']
}

const STRIP = ['-map_metadata', '-1', '-map_metadata:s', '-1', '-map_chapters', '-1']
/** A sound may be a book with chapters of its own. */
const ofTheFilm = ({ other }: Plan): string[] => (other === null ? [] : ['-map_chapters', '0'])
const PATIENT = ['-max_muxing_queue_size', '4096']

/** A further input: subtitles of ours in the folder of the hop. */
const addedArgs = ({ added, subtitles, cut }: Plan): string[] =>
  added !== null && subtitles.some(({ from }) => from === 'added')
    ? [
        ...['-protocol_whitelist', 'file', '-f', added.demuxer],
        ...(cut.start > 0 ? ['-ss', String(cut.start)] : []),
        ...(cut.length === null ? [] : ['-t', String(Number(cut.length.toFixed(6)))]),
        ...['-i', `file:${added.file}`],
      ]
    : []

/** Everything behind the inputs. @param film the input that brings the picture, where it is coded already */
export const outputArgs = (plan: Plan, pass: 2 | null = null, film?: readonly string[]): string[] => [
  ...addedArgs(plan),
  ...(film ? joinedArgs(plan, film) : pictureArgs(plan, pass)),
  ...soundArgs(plan),
  ...subtitleArgs(plan),
  ...coverArgs(plan),
  ...fileArgs(plan),
  ...(plan.strip ? STRIP : plan.chapters ? ofTheFilm(plan) : ['-map_chapters', '-1']),
  ...PATIENT,
  ...plan.container.flags,
  ...['-f', plan.container.muxer, `file:out.${plan.ext}`],
]

/** The first of two looks: only the picture, and nothing is kept of it. */
export const firstPassArgs = (plan: Plan): string[] => [...pictureArgs(plan, 1), '-an', '-sn', '-f', 'null', '-']
