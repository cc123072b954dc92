/** Usage: what was converted, when, how, and by which key; and what is left. */
import { Group, Paper, SegmentedControl, Select, SimpleGrid, Skeleton, Text } from '@mantine/core'
import type { Usage } from '@reforge/sdk'
import { IconChartBar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { readableNumber, readableSize } from '../../figures/figures.ts'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Allowance } from './allowance.tsx'
import { Breakdown } from './breakdown.tsx'
import { ByDay } from './by-day.tsx'
import { MEASURES, type Measure } from './measure.ts'
import { PERIODS, type Period, spanOf } from './period.ts'

export function UsagePage() {
  const { usage: texts } = useTexts()
  const reforge = useReforge()
  const [period, setPeriod] = useState<Period>('month')
  const [measure, setMeasure] = useState<Measure>('minutes')
  const span = useMemo(() => spanOf(period, Date.now()), [period])
  const { data, error, refetch } = useQuery({
    queryKey: ['usage', 'day', span],
    queryFn: () => reforge.account.usage({ ...span, by: 'day' }),
    staleTime: 0,
    placeholderData: (before) => before,
  })
  return (
    <PageFrame
      title={texts.title}
      lead={texts.lead}
      actions={
        <Group gap="sm">
          <SegmentedControl
            aria-label={texts.measure}
            value={measure}
            onChange={(value) => setMeasure(MEASURES.find((each) => each === value) ?? 'minutes')}
            data={MEASURES.map((each) => ({ value: each, label: texts.measures[each] }))}
          />
          <Select
            aria-label={texts.period}
            w={140}
            allowDeselect={false}
            value={period}
            onChange={(value) => setPeriod(PERIODS.find((each) => each === value) ?? 'month')}
            data={PERIODS.map((each) => ({ value: each, label: texts.periods[each] }))}
          />
        </Group>
      }
    >
      {error && <ErrorBox error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton h={380} />}
      {data && <Totals total={data.total} />}
      <Allowance />
      {data && data.total.tasks === 0 && (
        <EmptyState icon={IconChartBar} title={texts.days.nothing} lead={texts.days.nothingLead} />
      )}
      {data && data.total.tasks > 0 && (
        <>
          <ByDay usage={data} measure={measure} />
          <SimpleGrid cols={{ base: 1, lg: 3 }}>
            {(['operation', 'format', 'key'] as const).map((by) => (
              <Breakdown key={by} by={by} span={span} measure={measure} />
            ))}
          </SimpleGrid>
        </>
      )}
    </PageFrame>
  )
}

function Totals({ total }: { total: Usage['total'] }) {
  const texts = useTexts().usage.totals
  const shown = [
    { name: texts.minutes, value: readableNumber(total.seconds / 60) },
    { name: texts.tasks, value: readableNumber(total.tasks), hint: texts.failed(total.failed) },
    { name: texts.bytesIn, value: readableSize(total.bytesIn) },
    { name: texts.bytesOut, value: readableSize(total.bytesOut) },
  ]
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} component="dl" m={0}>
      {shown.map(({ name, value, hint }) => (
        <Paper key={name} p="md">
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0} fz={24} fw={650}>
            {value}
          </Text>
          <Text component="dd" m={0} size="xs" c="dimmed">
            {hint ?? '\u00a0'}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  )
}
