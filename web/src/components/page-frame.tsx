/** A page's heading, one sentence on what it is for, its main buttons, and the rest. */
import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page-frame.module.css'

interface PageFrameProps {
  title: string
  lead?: string | undefined
  /** Buttons for the whole page, at the right of the title. */
  actions?: ReactNode
  children?: ReactNode
}

export const PageFrame = ({ title, lead, actions, children }: PageFrameProps) => (
  <Stack gap="lg">
    <Group justify="space-between" align="flex-end">
      <div className={classes.words}>
        <Title order={1}>{title}</Title>
        {lead && <Text c="dimmed">{lead}</Text>}
      </div>
      {actions && <Group gap="sm">{actions}</Group>}
    </Group>
    {children}
  </Stack>
)
