/** A list of things, one row each: what it is, what there is to know, what can be done. On a phone the three stand below each other. */
import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './rows.module.css'

export const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <Paper p={0} component="ul" className={classes.rows} aria-label={label}>
    {children}
  </Paper>
)

interface RowProps {
  title: ReactNode
  /** The line below the title. */
  about?: ReactNode
  facts?: ReactNode
  actions?: ReactNode
  /** Below all of it. */
  children?: ReactNode
}

export const Row = ({ title, about, facts, actions, children }: RowProps) => (
  <li className={classes.row}>
    <div className={classes.line}>
      <div className={classes.main}>
        <div className={classes.title}>{title}</div>
        {about && <div className={classes.about}>{about}</div>}
      </div>
      {facts && <div className={classes.facts}>{facts}</div>}
      {actions && <div className={classes.actions}>{actions}</div>}
    </div>
    {children}
  </li>
)
