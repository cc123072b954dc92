/** What one sees before being inside: the logo and one card. */
import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Logo } from '../shell/logo.tsx'
import { useTexts } from '../texts/texts.tsx'
import classes from './door.module.css'

interface DoorProps {
  title: string
  lead: string
  width?: number
  children: ReactNode
}

export function Door({ title, lead, width = 420, children }: DoorProps) {
  const { shell } = useTexts()
  useEffect(() => {
    document.title = shell.titleOf(title)
  }, [shell, title])
  return (
    <main className={classes.door}>
      <Stack w="100%" maw={width} gap="lg">
        <Group gap="sm" justify="center">
          <Logo size={40} />
          <Text component="span" fw={700} fz={26}>
            Reforge
          </Text>
        </Group>
        <Paper p="xl">
          <Title order={1} mb={4}>
            {title}
          </Title>
          <Text c="dimmed" mb="lg">
            {lead}
          </Text>
          {children}
        </Paper>
      </Stack>
    </main>
  )
}
