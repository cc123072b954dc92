/** The picture with the frame on it: drawn, moved and pulled by mouse, finger and arrow keys. */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import classes from './crop.module.css'
import { type Bounds, drawn, type Frame, HANDLES, type Handle, moved, pulled, type Size } from './frame.ts'

interface StageProps {
  children: ReactNode
  frame: Frame
  bounds: Bounds
  onChange: (frame: Frame) => void
}

type Hold = Handle | 'frame' | 'ground'

interface Grip {
  hold: Hold
  frame: Frame
  /** Where it began, in the picture's own measure. */
  at: { x: number; y: number }
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** All of it in sight, and small ones bigger than they are. */
const sightly = ({ width, height }: Size): string =>
  `min(100%, ${((58 * width) / height).toFixed(2)}vh, ${Math.max(width, 480)}px)`

export function Stage({ children, frame, bounds, onChange }: StageProps) {
  const texts = useTexts().crop
  const ground = useRef<HTMLDivElement>(null)
  const grip = useRef<Grip | null>(null)

  const place = ({ clientX, clientY }: PointerEvent) => {
    const box = ground.current?.getBoundingClientRect()
    if (!box || box.width === 0) return { x: 0, y: 0 }
    const { width, height } = bounds.whole
    return { x: ((clientX - box.left) / box.width) * width, y: ((clientY - box.top) / box.height) * height }
  }
  const change = (hold: Hold, from: Frame, across: number, down: number) =>
    onChange(hold === 'frame' ? moved(from, across, down, bounds) : pulled(from, hold as Handle, across, down, bounds))

  const take = (hold: Hold) => (event: PointerEvent<HTMLElement>) => {
    // A finger on the ground wants to scroll.
    if (event.button !== 0 || (hold === 'ground' && event.pointerType === 'touch')) return
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    grip.current = { hold, frame, at: place(event) }
  }
  const pull = (event: PointerEvent) => {
    if (!grip.current) return
    const { hold, frame: from, at } = grip.current
    const now = place(event)
    if (hold === 'ground') return onChange(drawn(at, now, bounds))
    change(hold, from, now.x - at.x, now.y - at.y)
  }
  const release = () => {
    grip.current = null
  }
  const press = (hold: Hold) => (event: KeyboardEvent) => {
    const [across, down] = ARROWS[event.key] ?? []
    if (across === undefined || down === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    const step = (event.shiftKey ? 10 : 1) * (hold === 'frame' ? 1 : bounds.grain)
    change(hold, frame, across * step, down * step)
  }
  const grab = (hold: Hold) => ({
    onPointerDown: take(hold),
    onPointerMove: pull,
    onPointerUp: release,
    onPointerCancel: release,
    ...(hold !== 'ground' && { onKeyDown: press(hold) }),
  })

  const { width, height } = bounds.whole
  const percent = (length: number, whole: number) => `${(length / whole) * 100}%`
  const box = {
    left: percent(frame.x, width),
    top: percent(frame.y, height),
    width: percent(frame.width, width),
    height: percent(frame.height, height),
  }
  return (
    <div className={classes.stage} data-sized style={{ width: sightly(bounds.whole) }}>
      {children}
      <div ref={ground} className={classes.ground} {...grab('ground')}>
        <div className={classes.shade}>
          <div className={classes.hole} style={box} />
        </div>
        <div className={classes.frame} style={box}>
          <button type="button" className={classes.body} aria-label={texts.frame} {...grab('frame')} />
          {HANDLES.map((handle) => (
            <button
              key={handle}
              type="button"
              className={classes.handle}
              data-at={handle}
              aria-label={texts.handles[handle]}
              {...grab(handle)}
            />
          ))}
        </div>
      </div>
    </div>
  )
}
