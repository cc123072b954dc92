/** What is played: the file itself where the browser can, else a small preview that the server makes. */
import { useState } from 'react'
import { useOwn } from '../../tools/own.ts'
import type { Subject } from '../../tools/subject.ts'
import { type Step, useView } from '../../tools/view.ts'

export const SOUND: readonly Step[] = [{ output_format: 'mp3' }]
const FILM: Step = {
  output_format: 'mp4',
  options: { video_resolution: '360p', video_preset: 'ultrafast', video_crf: 30 },
}
/** Moving pictures become films; those of WebP by way of GIF. */
const MOVING: Readonly<Record<string, readonly Step[]>> = {
  gif: [{ output_format: 'mp4', options: { video_preset: 'ultrafast' } }],
  webp: [{ output_format: 'gif' }, { output_format: 'mp4', options: { video_preset: 'ultrafast' } }],
}

const stepsOf = ({ family, format }: Subject): readonly Step[] =>
  family === 'audio' ? SOUND : (MOVING[format] ?? [FILM])

export interface Media {
  url: string | null
  isFilm: boolean
  /** The server's preview is needed. */
  isMade: boolean
  error: unknown
  retry: () => void
  /** The browser cannot play it, or not all of it. */
  refuse: () => void
}

export function useMedia(subject: Subject): Media {
  const [refused, setRefused] = useState(subject.format in MOVING)
  const own = useOwn(subject, !refused)
  const made = useView(subject, refused ? stepsOf(subject) : null)
  return {
    url: refused ? (made.data ?? null) : own,
    isFilm: subject.family !== 'audio',
    isMade: refused,
    error: made.error,
    retry: () => void made.refetch(),
    refuse: () => setRefused(true),
  }
}
