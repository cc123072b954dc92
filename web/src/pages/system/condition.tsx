/** Whether all is well in one line, and what to do when the sandbox is not there. */
import { Alert, Badge, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { SystemOverview } from '@reforge/sdk'
import { IconAlertTriangle, IconCircleCheck, IconShieldOff } from '@tabler/icons-react'
import { CodeBlock } from '../../components/code-block.tsx'
import { Facts } from '../../components/facts.tsx'
import { Meter } from '../../components/meter.tsx'
import { readableDuration, readableNumber, readableSize } from '../../figures/figures.ts'
import { useNow } from '../../figures/when.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './system.module.css'

const LOOKS = {
  ok: { color: 'green', icon: IconCircleCheck },
  unsafe: { color: 'red', icon: IconShieldOff },
  failing: { color: 'red', icon: IconAlertTriangle },
}

export function Condition({ system }: { system: SystemOverview }) {
  const { system: texts } = useTexts()
  const { color, icon: Icon } = LOOKS[system.status]
  const warnings = [system.disk?.warning, system.status === 'unsafe' ? undefined : system.sandbox.warning]
  return (
    <Stack gap="md">
      <Alert color={color} variant="light" icon={<Icon />} title={texts.states[system.status].title}>
        <Text size="sm">{texts.states[system.status].lead}</Text>
        {warnings.map(
          (warning) =>
            warning && (
              <Text key={warning} size="sm" mt={4} fw={600}>
                {warning}
              </Text>
            ),
        )}
        {system.sandbox.kind === 'none' && (
          <>
            <Text size="sm" mt={4} mb="sm">
              {texts.sandboxNone}
            </Text>
            <CodeBlock code={texts.sandboxCommand} />
          </>
        )}
      </Alert>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <About system={system} />
        <Queue queue={system.queue} />
      </SimpleGrid>
    </Stack>
  )
}

function About({ system: { version, startedAt, sandbox, disk, tasks } }: { system: SystemOverview }) {
  const { system, shared } = useTexts()
  const texts = system.facts
  const now = useNow(10_000)
  const statuses = Object.entries(shared.statuses).flatMap(([status, name]) =>
    tasks[status] ? [`${readableNumber(tasks[status])} ${name.toLowerCase()}`] : [],
  )
  return (
    <Paper component="section" aria-label={texts.title}>
      <Title order={2} mb="xs">
        {texts.title}
      </Title>
      <Facts
        facts={[
          [texts.version, version],
          [texts.uptime, readableDuration(Math.max(0, now - Date.parse(startedAt)))],
          [texts.sandbox, texts.sandboxKinds[sandbox.kind] ?? sandbox.kind],
          [texts.tasks, statuses.join(', ') || '0'],
          [
            texts.disk,
            disk ? (
              <Meter
                key="disk"
                label={texts.diskFree(readableSize(disk.free), readableSize(disk.total))}
                used={disk.total - disk.free}
                limit={disk.total}
              />
            ) : (
              texts.diskElsewhere
            ),
          ],
        ]}
      />
    </Paper>
  )
}

function Queue({ queue }: Pick<SystemOverview, 'queue'>) {
  const texts = useTexts().system.queue
  return (
    <Paper component="section" aria-label={texts.title}>
      <Title order={2} mb="xs">
        {texts.title}
      </Title>
      {queue.map(({ lane, waiting, running }) => (
        <div key={lane} className={classes.lane}>
          <span>{texts.lanes[lane] ?? lane}</span>
          <span>
            {running + waiting === 0 ? (
              <Text span size="sm" c="dimmed">
                {texts.idle}
              </Text>
            ) : (
              <>
                <Badge color="blue">{texts.running(running)}</Badge>{' '}
                {waiting > 0 && <Badge color="yellow">{texts.waiting(waiting)}</Badge>}
              </>
            )}
          </span>
        </div>
      ))}
    </Paper>
  )
}
