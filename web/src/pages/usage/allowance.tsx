/** What is left of the minutes, and when they are full again. */
import { Paper, SimpleGrid, Skeleton, Text, Title } from '@mantine/core'
import type { Account } from '@reforge/sdk'
import { useQuery } from '@tanstack/react-query'
import { Meter } from '../../components/meter.tsx'
import { meQuery } from '../../data/queries.ts'
import { readableNumber, readableWhen } from '../../figures/figures.ts'
import { useNow } from '../../figures/when.tsx'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function Allowance() {
  const { usage: texts } = useTexts()
  const { data } = useQuery({ ...meQuery(useReforge()), staleTime: 0, refetchInterval: 30_000 })
  if (!data) return <Skeleton h={110} />
  const { day, month, perTask } = data.minutes
  if (day.limit === null && month.limit === null && perTask === null)
    return (
      <Text size="sm" c="dimmed">
        {texts.totals.plan(data.plan.name)}: {texts.allowance.none}
      </Text>
    )
  return (
    <Paper component="section" aria-label={texts.allowance.title}>
      <Title order={2}>{texts.allowance.title}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.totals.plan(data.plan.name)}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Left name={texts.allowance.day} of={day} />
        <Left name={texts.allowance.month} of={month} />
      </SimpleGrid>
      {perTask !== null && (
        <Text size="sm" c="dimmed" mt="sm">
          {texts.allowance.perTask(readableNumber(perTask))}
        </Text>
      )}
    </Paper>
  )
}

function Left({ name, of: { used, limit, left, resetsAt } }: { name: string; of: Account['minutes']['day'] }) {
  const { usage, shared } = useTexts()
  const texts = usage.allowance
  const now = useNow(30_000)
  if (limit === null) return null
  const when = readableWhen(Date.parse(resetsAt), now) ?? shared.when.now
  return (
    <Meter
      label={`${name}: ${texts.used(readableNumber(Math.min(used, limit)), readableNumber(limit))}`}
      used={used}
      limit={limit}
      hint={left ? texts.left(readableNumber(left), when) : texts.out(when)}
    />
  )
}
