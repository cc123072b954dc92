/** Which engines there are, which are missing, and the command that brings them. */
import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { SystemOverview } from '@reforge/sdk'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { CodeBlock } from '../../components/code-block.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './system.module.css'

export function Engines({ engines, install }: Pick<SystemOverview, 'engines' | 'install'>) {
  const texts = useTexts().system.engines
  const ready = engines.filter((engine) => engine.ready)
  const missing = engines.filter((engine) => !engine.ready)
  return (
    <Paper component="section" aria-label={texts.title}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{texts.title}</Title>
        <Badge color={missing.length === 0 ? 'green' : 'yellow'}>{texts.ready(ready.length, engines.length)}</Badge>
      </Group>
      {missing.length > 0 && (
        <Stack gap="sm" mb="lg">
          <ul className={classes.missing} aria-label={texts.missing}>
            {missing.map(({ id, title, missing: lacks }) => (
              <li key={id}>
                <IconCircleX size={18} className={classes.bad} aria-hidden="true" />
                <span>
                  <strong>{title}</strong>{' '}
                  <Text span size="sm" c="dimmed">
                    {lacks.length > 0 && texts.lacks(lacks.map(({ program }) => program).join(', '))}
                  </Text>
                </span>
              </li>
            ))}
          </ul>
          {install && (
            <div>
              <Text size="sm" mb={6}>
                {texts.brings}
              </Text>
              <CodeBlock code={install} />
            </div>
          )}
        </Stack>
      )}
      <ul className={classes.engines} aria-label={texts.here}>
        {ready.map(({ id, title }) => (
          <li key={id}>
            <IconCircleCheck size={18} className={classes.good} aria-hidden="true" />
            {title}
          </li>
        ))}
      </ul>
    </Paper>
  )
}
