/** Writes streams again as they were: by the codec they had where it can be written, with hardly any loss. Pure. */
import type { Container } from './containers.ts'
import { AUDIO_ENCODERS, audioArgs, CRF, isLossless, pixelFormatOf, VIDEO_ENCODERS, videoArgs } from './encoders.ts'
import type { AudioStream, VideoStream } from './media.ts'

const DEEP = /1[0-6](?:le|be)$/
/** Better than usual: nobody asked for a loss. */
const BETTER = 4
const APPLE = new Set(['mp4', 'mov', 'ipod'])

export function pictureAgain({ video: slot, muxer }: Container, video: VideoStream): string[] {
  const encoders = slot?.encoders ?? ['libx264']
  const encoder = encoders.find((name) => VIDEO_ENCODERS[name].codec === video.codec) ?? encoders[0]
  const crf = Math.max(1, CRF[encoder].usual - BETTER)
  const pixelRate = video.width * video.height * (video.fps ?? 25)
  // Apple's players want H.265 under this name.
  const tag = encoder === 'libx265' && APPLE.has(muxer) ? ['-tag:v', 'hvc1'] : []
  return [
    ...videoArgs(encoder, { crf, pixelRate }),
    ...['-pix_fmt', pixelFormatOf(encoder, DEEP.test(video.pixelFormat)), ...tag],
  ]
}

export function soundAgain({ audio: slot }: Container, audio: AudioStream | null): string[] {
  if (slot === null || audio === null) return []
  const encoder = slot.encoders.find((name) => AUDIO_ENCODERS[name].codec === audio.codec) ?? slot.encoders[0]
  const bitrate = isLossless(encoder) || audio.bitrate === null ? undefined : Math.round(audio.bitrate)
  return audioArgs(encoder, { bitrate, channels: audio.channels })
}
