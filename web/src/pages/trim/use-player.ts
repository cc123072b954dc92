/** Plays parts one after the other, and says where it is. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Range } from './ranges.ts'

export interface Player {
  media: React.RefObject<HTMLMediaElement | null>
  time: number
  isPlaying: boolean
  seek: (time: number) => void
  /** Plays these, in this order. */
  play: (ids: readonly string[]) => void
  pause: () => void
}

/** A frame's length: closer the clock does not look. */
const NEAR = 0.02

export function usePlayer(ranges: readonly Range[]): Player {
  const media = useRef<HTMLMediaElement>(null)
  const [time, setTime] = useState(0)
  const [isPlaying, setPlaying] = useState(false)
  const left = useRef<readonly string[]>([])

  const pause = () => {
    media.current?.pause()
    setPlaying(false)
  }
  const seek = (to: number) => {
    setTime(to)
    if (media.current) media.current.currentTime = to
  }
  const play = (ids: readonly string[]) => {
    const first = ranges.find(({ id }) => id === ids[0])
    if (!first || !media.current) return
    left.current = ids
    seek(first.start)
    setPlaying(true)
    media.current.play().catch(() => setPlaying(false))
  }
  const look = useEffectEvent(() => {
    const element = media.current
    if (!element) return setPlaying(false)
    setTime(element.currentTime)
    const now = ranges.find(({ id }) => id === left.current[0])
    if (now && element.currentTime < now.end - NEAR && !element.ended) return
    left.current = left.current.slice(1)
    const next = ranges.find(({ id }) => id === left.current[0])
    if (next) {
      seek(next.start)
      if (element.paused) void element.play().catch(() => setPlaying(false))
      return
    }
    pause()
    if (now) setTime(now.end)
  })
  useEffect(() => {
    if (!isPlaying) return
    let frame = requestAnimationFrame(function each() {
      look()
      frame = requestAnimationFrame(each)
    })
    return () => cancelAnimationFrame(frame)
  }, [isPlaying])
  return { media, time, isPlaying, seek, play, pause }
}
