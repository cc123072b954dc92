/** Names and what they are, one a line. */
import type { ReactNode } from 'react'
import classes from './facts.module.css'

export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={classes.facts}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value ?? '\u00a0'}</dd>
      </div>
    ))}
  </dl>
)
