/** What the time line shows: a recording as bars, a film as pictures from it. */
import { Loader, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import type { Subject } from '../../tools/subject.ts'
import { outlineOf } from './peaks.ts'
import classes from './trim.module.css'
import { BARS, useWave } from './use-wave.ts'

export function Wave({ subject }: { subject: Subject }) {
  const texts = useTexts().trim
  const { bars, failed } = useWave(subject)
  if (bars)
    return (
      <svg className={classes.wave} viewBox={`0 0 ${BARS} 100`} preserveAspectRatio="none" aria-hidden="true">
        <path d={outlineOf(bars)} />
      </svg>
    )
  return (
    <div className={classes.empty}>
      {failed ? (
        <Text size="sm" c="dimmed">
          {texts.noWave}
        </Text>
      ) : (
        <Loader type="bars" size="sm" aria-label={texts.listening} />
      )}
    </div>
  )
}

/** By a film of its own, so that the one to look at stays where it is. */
export function FilmStrip({ url }: { url: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const leaving = new AbortController()
    if (canvas.current) void draw(url, canvas.current, leaving.signal).catch(() => {})
    return () => leaving.abort()
  }, [url])
  return <canvas ref={canvas} className={classes.film} />
}

const heard = (target: EventTarget, name: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    target.addEventListener(name, () => resolve(), { once: true, signal })
    target.addEventListener('error', () => reject(new Error('unreadable')), { once: true, signal })
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

async function draw(url: string, canvas: HTMLCanvasElement, signal: AbortSignal): Promise<void> {
  const film = document.createElement('video')
  film.muted = true
  film.preload = 'auto'
  film.src = url
  try {
    await heard(film, 'loadeddata', signal)
    const { clientWidth, clientHeight } = canvas
    const wanted = (clientHeight * film.videoWidth) / Math.max(1, film.videoHeight)
    const count = Math.max(3, Math.min(40, Math.round(clientWidth / Math.max(24, wanted))))
    const scale = Math.min(2, devicePixelRatio)
    canvas.width = clientWidth * scale
    canvas.height = clientHeight * scale
    const brush = canvas.getContext('2d')
    const wide = canvas.width / count
    for (let at = 0; at < count; at++) {
      const there = heard(film, 'seeked', signal)
      film.currentTime = ((at + 0.5) / count) * film.duration
      await there
      cover(brush, film, at * wide, wide, canvas.height)
    }
  } finally {
    film.removeAttribute('src')
    film.load()
  }
}

/** Fills its place; what is too much at the sides is left out. */
function cover(brush: CanvasRenderingContext2D | null, film: HTMLVideoElement, x: number, wide: number, high: number) {
  const scale = Math.max(wide / film.videoWidth, high / film.videoHeight)
  const [width, height] = [wide / scale, high / scale]
  const [left, top] = [(film.videoWidth - width) / 2, (film.videoHeight - height) / 2]
  brush?.drawImage(film, left, top, width, height, x, 0, wide, high)
}
