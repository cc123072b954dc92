/** Sound and moving pictures by ffmpeg. Reads what it was told to read and nothing a file may point to. */
import type { Capability, Engine, Work } from '../catalog/engine.ts'
import type { Ext } from '../catalog/formats.ts'
import { compressVideo } from './ffmpeg/compress.ts'
import { compressSound } from './ffmpeg/compress-sound.ts'
import { AUDIO_OUT, VIDEO_OUT, type Writable } from './ffmpeg/containers.ts'
import { convertMedia } from './ffmpeg/convert.ts'
import { cropFilm } from './ffmpeg/crop.ts'
import { frames } from './ffmpeg/frames.ts'
import { animations } from './ffmpeg/gif.ts'
import { soundOptions, type VideoOptions, videoOptions } from './ffmpeg/options.ts'
import { filmPart } from './ffmpeg/part-order.ts'
import { FFPROBE } from './ffmpeg/probe.ts'
import { FFMPEG } from './ffmpeg/run.ts'
import { subtitleFiles, subtitles } from './ffmpeg/subtitles.ts'
import { trimMedia } from './ffmpeg/trim.ts'
import { audioWishes, videoWishes } from './ffmpeg/wishes.ts'

const FILMS = [
  ...(['mp4', 'm4v', 'mov', 'mkv', 'webm', 'avi', 'wmv', 'asf', 'flv', 'f4v', 'mpg', 'm2v', 'ts', 'mts'] as const),
  ...(['m2ts', 'vob', '3gp', '3g2', 'ogv', 'mxf', 'rm', 'divx', 'dv', 'swf'] as const),
] satisfies readonly Ext[]

/** They have no sound, or none in a way that can be told apart. */
const SILENT = new Set<Ext>(['m2v'])

/** All but AMR, whose pauses it leaves out: see sox.ts. */
const SOUNDS = [
  ...(['mp3', 'wav', 'flac', 'ogg', 'oga', 'opus', 'm4a', 'm4b', 'm4r', 'aac', 'wma', 'aiff', 'ac3'] as const),
  ...(['dts', 'ape', 'wv', 'mka', 'au', 'caf', 'mp2', 'ra', 'tta', 'spx'] as const),
] satisfies readonly Ext[]

const WITH_SOUND: readonly Ext[] = [...SOUNDS, ...FILMS.filter((ext) => !SILENT.has(ext))]

const toVideo = (to: Writable): Capability<VideoOptions> => ({
  ...{ does: 'convert', from: [...FILMS, 'gif'], to: [to], cost: 2, heavy: true },
  options: videoOptions(to, WITH_SOUND),
  run: (work) => convertMedia(work, videoWishes(work.options), work.options.subtitle_add),
})

function toSound(to: Writable): Engine['can'][number] {
  const declared = soundOptions(to)
  return {
    ...{ does: 'convert', from: WITH_SOUND, to: [to], cost: 2, heavy: true, options: declared },
    run: (work: Work<typeof declared>) => convertMedia(work, audioWishes(work.options)),
  }
}

export const ffmpeg: Engine = {
  id: 'ffmpeg',
  title: 'FFmpeg',
  tools: [
    { program: FFMPEG, debian: 'ffmpeg' },
    { program: FFPROBE, debian: 'ffmpeg' },
  ],
  can: [
    ...VIDEO_OUT.map(toVideo),
    ...AUDIO_OUT.map(toSound),
    ...frames(FILMS),
    ...animations(FILMS),
    ...compressVideo,
    compressSound,
    ...trimMedia,
    cropFilm,
    subtitles(['mkv', 'webm', 'mp4', 'm4v', 'mov']),
    ...subtitleFiles,
  ],
  part: filmPart,
}
