/** Bars, one a day, drawn by ourselves. Who cannot see them has the table below. */
import { useElementSize } from '@mantine/hooks'
import { useState } from 'react'
import { axisOf } from './period.ts'
import classes from './plot.module.css'

export interface Bar {
  day: string
  value: number
}

interface DayPlotProps {
  label: string
  bars: readonly Bar[]
  format: (value: number) => string
}

const HEIGHT = 220
const EDGE = { left: 58, right: 4, top: 12, bottom: 24 }
const SHORT = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
export const shortDay = (day: string): string => SHORT.format(Date.parse(day))

export function DayPlot({ label, bars, format }: DayPlotProps) {
  const { ref, width } = useElementSize()
  const [over, setOver] = useState<number | null>(null)
  const ticks = axisOf(Math.max(0, ...bars.map(({ value }) => value)))
  const top = ticks.at(-1) ?? 1
  const inner = { width: Math.max(0, width - EDGE.left - EDGE.right), height: HEIGHT - EDGE.top - EDGE.bottom }
  const slot = inner.width / Math.max(1, bars.length)
  const yOf = (value: number) => EDGE.top + inner.height * (1 - value / top)
  const xOf = (index: number) => EDGE.left + index * slot
  // As many names of days as there is room for.
  const every = Math.max(1, Math.ceil(bars.length / Math.max(1, Math.floor(inner.width / 64))))
  const shown = over === null ? undefined : bars[over]
  return (
    <div ref={ref} className={classes.plot}>
      <p className={classes.readout} aria-hidden="true" data-shown={shown !== undefined || undefined}>
        {shown ? (
          <>
            {shortDay(shown.day)} <strong>{format(shown.value)}</strong>
          </>
        ) : (
          '\u00a0'
        )}
      </p>
      {width > 0 && (
        <svg width={width} height={HEIGHT} role="img" aria-label={label} onPointerLeave={() => setOver(null)}>
          {ticks.map((tick) => (
            <g key={tick}>
              <line x1={EDGE.left} x2={width - EDGE.right} y1={yOf(tick)} y2={yOf(tick)} className={classes.grid} />
              <text x={EDGE.left - 8} y={yOf(tick) + 4} textAnchor="end" className={classes.tick}>
                {format(tick)}
              </text>
            </g>
          ))}
          {bars.map(({ day, value }, index) => (
            <g key={day} onPointerEnter={() => setOver(index)}>
              <rect x={xOf(index)} y={EDGE.top} width={slot} height={inner.height} className={classes.slot} />
              <rect
                x={xOf(index) + slot * 0.15}
                width={slot * 0.7}
                // A little is something, too.
                y={Math.min(yOf(value), value > 0 ? HEIGHT - EDGE.bottom - 2 : HEIGHT)}
                height={Math.max(value > 0 ? 2 : 0, (inner.height * value) / top)}
                rx={Math.min(3, slot / 4)}
                className={classes.bar}
                data-over={over === index || undefined}
              />
              {index % every === 0 && (
                <text x={xOf(index) + slot / 2} y={HEIGHT - 6} textAnchor="middle" className={classes.tick}>
                  {shortDay(day)}
                </text>
              )}
            </g>
          ))}
        </svg>
      )}
    </div>
  )
}
