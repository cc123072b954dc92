/**
 * Encoders of graphics cards: used where the box shows such a device and a picture really comes out of it, else the CPU
 * does the same work, and the task says so.
 */
import type { Work } from '../../catalog/engine.ts'
import { HARDWARE, type Hardware, type Quality, type VideoEncoder } from './encoders.ts'
import { FFMPEG } from './run.ts'

const tried = new Map<Hardware, Promise<boolean>>()

async function encodes(work: Pick<Work, 'run'>, encoder: Hardware): Promise<boolean> {
  const source = ['-f', 'lavfi', '-i', 'color=size=320x240:duration=0.2']
  const result = await work.run({
    command: [FFMPEG, '-v', 'error', '-nostdin', ...source, '-c:v', encoder, '-f', 'null', '-'],
    limits: { wall: 20_000, cpu: 20, addressSpace: null },
  })
  return result.code === 0
}

/** What really encodes when a card's encoder was asked for. Each is tried once in the life of the server. */
export async function present(work: Pick<Work, 'run' | 'tell'>, encoder: Hardware): Promise<Hardware | VideoEncoder> {
  const known = tried.get(encoder) ?? encodes(work, encoder)
  tried.set(encoder, known)
  // A run that was stopped says nothing about the card.
  known.catch(() => tried.delete(encoder))
  const used = (await known) ? encoder : HARDWARE[encoder].cpu
  work.tell('encoder', used)
  return used
}

export const hardwareArgs = (encoder: Hardware, { crf, bitrate }: Quality): string[] => {
  const quality = encoder.endsWith('_nvenc') ? '-cq' : '-global_quality'
  return ['-c:v', encoder, ...(bitrate ? ['-b:v', String(Math.round(bitrate))] : [quality, String(crf ?? 23)])]
}
