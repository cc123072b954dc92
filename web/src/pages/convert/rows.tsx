/** The files, one row each. Only what is on the screen is drawn, so that hundreds are as quick as three. */

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { Row } from './row.tsx'
import classes from './rows.module.css'
import type { RowsProps } from './rows-props.ts'

const HEIGHT = 84

export function Rows({ aim, list, planned, start, open }: RowsProps) {
  const { convert: texts } = useTexts()
  const box = useRef<HTMLUListElement>(null)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setOffset(box.current ? box.current.getBoundingClientRect().top + window.scrollY : 0)
    measure()
    // What is above it may grow: settings, a banner.
    const watching = new ResizeObserver(measure)
    watching.observe(document.body)
    return () => watching.disconnect()
  }, [])
  const virtual = useWindowVirtualizer({
    count: planned.length,
    estimateSize: () => HEIGHT,
    overscan: 8,
    scrollMargin: offset,
    getItemKey: (index) => planned[index]?.item.id ?? index,
  })
  return (
    <ul ref={box} className={classes.rows} style={{ height: virtual.getTotalSize() }} aria-label={texts.list}>
      {virtual.getVirtualItems().map(({ index, key, start: top }) => {
        const each = planned[index]
        return (
          each && (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={classes.place}
              style={{ transform: `translateY(${top - offset}px)` }}
              aria-setsize={planned.length}
              aria-posinset={index + 1}
            >
              <Row aim={aim} list={list} planned={each} start={start} open={open} />
            </li>
          )
        )
      })}
    </ul>
  )
}
