/** The time from left to right, with two handles for each part and one for the playback. */
import { type PointerEvent, type ReactNode, useRef } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { following, Knob } from './knob.tsx'
import { type Edge, gapsOf, LEAST, type Range } from './ranges.ts'
import { writeTime } from './time.ts'
import classes from './trim.module.css'

interface TimelineProps {
  children: ReactNode
  duration: number
  ranges: readonly Range[]
  active: string | undefined
  /** Of the playback. */
  time: number
  onEdge: (id: string, edge: Edge, time: number) => void
  onActive: (id: string) => void
  onSeek: (time: number) => void
}

export function Timeline({ children, duration, ranges, active, time, onEdge, onActive, onSeek }: TimelineProps) {
  const texts = useTexts().trim
  const track = useRef<HTMLDivElement>(null)
  const percent = (at: number) => `${(Math.min(at, duration) / duration) * 100}%`
  const timeAt = ({ clientX }: PointerEvent) => {
    const box = track.current?.getBoundingClientRect()
    return box ? Math.max(0, Math.min(1, (clientX - box.left) / box.width)) * duration : 0
  }
  const shared = { duration, timeAt }
  const handle = (range: Range, part: number, edge: Edge) => (
    <Knob
      {...shared}
      label={edge === 'start' ? texts.startOf(part) : texts.endOf(part)}
      now={range[edge]}
      least={edge === 'start' ? 0 : range.start + LEAST}
      most={edge === 'start' ? range.end - LEAST : duration}
      className={classes.handle}
      edge={edge}
      onTime={(at) => onEdge(range.id, edge, at)}
      onTaken={() => onActive(range.id)}
    />
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has looks of its own
    <div className={classes.timeline} role="group" aria-label={texts.timeline}>
      <div ref={track} className={classes.track}>
        <div className={classes.strip} {...following(timeAt, onSeek)} onPointerUp={(event) => onSeek(timeAt(event))}>
          {children}
        </div>
        {gapsOf(ranges, duration).map(([from, to]) => (
          <div key={from} className={classes.gone} style={{ left: percent(from), width: percent(to - from) }} />
        ))}
        {ranges.map((range, at) => (
          <div key={range.id}>
            <div
              className={classes.kept}
              data-active={range.id === active || undefined}
              style={{ left: percent(range.start), width: percent(range.end - range.start) }}
            >
              {ranges.length > 1 && <span className={classes.number}>{at + 1}</span>}
            </div>
            {handle(range, at + 1, 'start')}
            {handle(range, at + 1, 'end')}
          </div>
        ))}
        <Knob
          {...shared}
          label={texts.position}
          now={time}
          least={0}
          most={duration}
          className={classes.head}
          onTime={onSeek}
        />
      </div>
      <div className={classes.scale} aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <span key={share}>{writeTime(share * duration)}</span>
        ))}
      </div>
    </div>
  )
}
