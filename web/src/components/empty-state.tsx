/** What a list says while it has nothing: what it is for, and what to do first. */
import { Paper, Text, Title } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import classes from './empty-state.module.css'

interface EmptyStateProps {
  icon: ComponentType<{ size?: number | string; stroke?: number }>
  title: string
  lead: string
  /** The button that begins it. */
  children?: ReactNode
}

export const EmptyState = ({ icon: Icon, title, lead, children }: EmptyStateProps) => (
  <Paper className={classes.state}>
    <div className={classes.mark} aria-hidden="true">
      <Icon size={26} stroke={1.6} />
    </div>
    <Title order={2}>{title}</Title>
    <Text c="dimmed" size="sm" maw={440}>
      {lead}
    </Text>
    {children}
  </Paper>
)
