/** The machines of a cluster; nothing where there is one. */
import { Badge, Stack, Text, Title } from '@mantine/core'
import type { SystemOverview } from '@reforge/sdk'
import { Row, Rows } from '../../components/rows.tsx'
import { When } from '../../figures/when.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function Nodes({ nodes }: Pick<SystemOverview, 'nodes'>) {
  const texts = useTexts().system.nodes
  if (nodes.length < 2) return null
  return (
    <Stack gap="sm" component="section" aria-label={texts.title}>
      <Title order={2}>{texts.title}</Title>
      <Rows label={texts.title}>
        {nodes.map(({ id, name, role, version, engines, startedAt, seenAt }) => (
          <Row
            key={id}
            title={
              <>
                {name}
                <Badge color={role === 'api' ? 'gray' : 'blue'}>{texts.roles[role] ?? role}</Badge>
              </>
            }
            about={
              <>
                {role !== 'api' && <span>{texts.engines(engines)}</span>}
                <span>{texts.version(version)}</span>
              </>
            }
            facts={
              <>
                <Text size="sm">
                  {texts.seen} <When at={seenAt} />
                </Text>
                <Text size="xs" c="dimmed">
                  {texts.up} <When at={startedAt} />
                </Text>
              </>
            }
          />
        ))}
      </Rows>
    </Stack>
  )
}
