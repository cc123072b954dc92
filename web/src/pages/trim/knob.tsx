/** Something on the time line that is moved along it: by mouse, finger and arrow keys (0.1 s, with Shift 1 s). */
import type { KeyboardEvent, PointerEvent } from 'react'
import { writeTime } from './time.ts'

interface KnobProps {
  label: string
  now: number
  least: number
  most: number
  duration: number
  className: string | undefined
  edge?: 'start' | 'end'
  timeAt: (event: PointerEvent) => number
  onTime: (time: number) => void
  onTaken?: () => void
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -0.1,
  ArrowDown: -0.1,
  ArrowRight: 0.1,
  ArrowUp: 0.1,
  PageDown: -10,
  PageUp: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** Follows the pointer until it lets go. */
export const following = (
  timeAt: (event: PointerEvent) => number,
  onTime: (time: number) => void,
  onTaken?: () => void,
) => ({
  onPointerDown: (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    onTaken?.()
  },
  onPointerMove: (event: PointerEvent<HTMLElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) onTime(timeAt(event))
  },
})

export function Knob({ label, now, least, most, duration, className, edge, timeAt, onTime, onTaken }: KnobProps) {
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    onTime(Math.max(least, Math.min(most, now + (event.shiftKey ? step * 10 : step))))
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={now}
      aria-valuetext={writeTime(now)}
      aria-orientation="horizontal"
      className={className}
      data-edge={edge}
      style={{ left: `${(Math.min(now, duration) / duration) * 100}%` }}
      onFocus={onTaken}
      onKeyDown={press}
      {...following(timeAt, onTime, onTaken)}
    />
  )
}
