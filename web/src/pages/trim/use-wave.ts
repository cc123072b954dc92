/** The bars of a recording: decoded by the browser where it can, else from what the server makes of it. */
import { useQuery } from '@tanstack/react-query'
import type { Subject } from '../../tools/subject.ts'
import { useView } from '../../tools/view.ts'
import { peaksOf } from './peaks.ts'
import { SOUND } from './use-media.ts'

export const BARS = 240
/** Decoded, a recording is many times bigger; long ones are made smaller first. */
const MOST = 40_000_000
/** Enough for an outline. */
const RATE = 8000

async function barsOf(bytes: ArrayBuffer): Promise<number[]> {
  const context = new OfflineAudioContext(1, 1, RATE)
  const sound = await context.decodeAudioData(bytes)
  return peaksOf(sound.getChannelData(0), BARS)
}

async function fetched(url: string): Promise<ArrayBuffer> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  return answer.arrayBuffer()
}

const KEPT = { staleTime: Number.POSITIVE_INFINITY, retry: false }

export function useWave(subject: Subject): { bars: number[] | undefined; failed: boolean } {
  const { source } = subject
  const file = source.kind === 'file' && source.file.size <= MOST ? source.file : null
  const own = useQuery({
    queryKey: ['wave', subject.id, 'own'],
    queryFn: async () => barsOf(await (file ?? new Blob()).arrayBuffer()),
    enabled: file !== null,
    ...KEPT,
  })
  const view = useView(subject, file === null || own.isError ? SOUND : null)
  const made = useQuery({
    queryKey: ['wave', subject.id, 'made'],
    queryFn: async () => barsOf(await fetched(view.data ?? '')),
    enabled: view.data !== undefined,
    ...KEPT,
  })
  return { bars: own.data ?? made.data, failed: view.isError || made.isError }
}
