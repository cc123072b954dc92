/** The plot by day, and the same as a table. */
import { Paper, Table, Text, Title } from '@mantine/core'
import type { Usage } from '@reforge/sdk'
import { useMemo } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { DayPlot, shortDay } from './day-plot.tsx'
import { figureOf, type Measure, NOTHING, readable } from './measure.ts'
import { daysOf } from './period.ts'
import classes from './plot.module.css'

export function ByDay({ usage, measure }: { usage: Usage; measure: Measure }) {
  const texts = useTexts().usage
  const { from, to, rows } = usage
  const days = useMemo(() => {
    const known = new Map(rows.map((row) => [row.day, row]))
    return daysOf({ from, to }).map((day) => ({ day, sums: known.get(day) ?? NOTHING }))
  }, [rows, from, to])
  const bars = days.map(({ day, sums }) => ({ day, value: figureOf(measure, sums) }))
  const peak = bars.reduce((most, bar) => (bar.value > most.value ? bar : most), bars[0] ?? { day: from, value: 0 })
  const format = (value: number) => readable(measure, value)
  return (
    <Paper component="section" aria-label={texts.days.title}>
      <Title order={2}>{texts.days.title}</Title>
      <Text size="sm" c="dimmed">
        {texts.days.peak(shortDay(peak.day), format(peak.value))}. {texts.days.zone}
      </Text>
      <DayPlot
        label={texts.days.label(texts.measures[measure], shortDay(from), shortDay(to))}
        bars={bars}
        format={format}
      />
      <details>
        <summary className={classes.summary}>{texts.days.table}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section className={classes.table} tabIndex={0} aria-label={texts.days.table}>
          <Table verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{texts.days.day}</Table.Th>
                <Table.Th className={classes.number}>{texts.columns.minutes}</Table.Th>
                <Table.Th className={classes.number}>{texts.columns.tasks}</Table.Th>
                <Table.Th className={classes.number}>{texts.columns.failed}</Table.Th>
                <Table.Th className={classes.number}>{texts.columns.bytes}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {days.toReversed().map(({ day, sums }) => (
                <Table.Tr key={day}>
                  <Table.Th scope="row" fw={400}>
                    {day}
                  </Table.Th>
                  <Table.Td className={classes.number}>{readable('minutes', figureOf('minutes', sums))}</Table.Td>
                  <Table.Td className={classes.number}>{readable('tasks', sums.tasks)}</Table.Td>
                  <Table.Td className={classes.number}>{readable('tasks', sums.failed)}</Table.Td>
                  <Table.Td className={classes.number}>{readable('bytes', sums.bytesOut)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      </details>
    </Paper>
  )
}
