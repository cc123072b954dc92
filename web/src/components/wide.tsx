/** Around what may be wider than a phone: scrolls, by keyboard too. */
import type { ReactNode } from 'react'
import classes from './wide.module.css'

interface WideProps {
  label: string
  /** Pixels that the content needs. */
  least: number
  children: ReactNode
}

export const Wide = ({ label, least, children }: WideProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <section className={classes.wide} aria-label={label} tabIndex={0}>
    <div style={{ minWidth: least }}>{children}</div>
  </section>
)
