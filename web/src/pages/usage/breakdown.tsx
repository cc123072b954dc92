/** Usage by operation, format or key: a table whose first column is also a bar. */
import { Paper, Skeleton, Table, Title } from '@mantine/core'
import type { Usage } from '@reforge/sdk'
import { useQuery } from '@tanstack/react-query'
import { ErrorBox } from '../../components/error-box.tsx'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { add, figureOf, type Measure, NOTHING, readable, type Sums } from './measure.ts'
import classes from './plot.module.css'

type Field = 'operation' | 'format' | 'key'
const MOST = 8

interface Part {
  id: string
  name: string
  sums: Sums
}

function useNameOf(): (row: Usage['rows'][number], by: Field) => string {
  const { usage: texts } = useTexts()
  return (row, by) => {
    const value = row[by]
    if (!value) return texts.unknown[by]
    if (by === 'key') return row.keyName ?? texts.goneKey(value)
    return by === 'operation' ? (texts.operations[value] ?? value) : value
  }
}

export function Breakdown({ by, span, measure }: { by: Field; span: { from: string; to: string }; measure: Measure }) {
  const { usage: texts } = useTexts()
  const reforge = useReforge()
  const nameOf = useNameOf()
  const { data, error } = useQuery({
    queryKey: ['usage', by, span],
    queryFn: () => reforge.account.usage({ ...span, by }),
    placeholderData: (before) => before,
  })
  if (error) return <ErrorBox error={error} />
  if (!data) return <Skeleton h={200} />
  const parts: Part[] = data.rows
    .map((row, index) => ({ id: String(row[by] ?? index), name: nameOf(row, by), sums: row }))
    .sort((a, b) => figureOf(measure, b.sums) - figureOf(measure, a.sums))
  const rest = parts.slice(MOST)
  const shown = [
    ...parts.slice(0, MOST),
    ...(rest.length > 0
      ? [
          {
            id: 'rest',
            name: texts.others(rest.length),
            sums: rest.reduce((sum, { sums }) => add(sum, sums), NOTHING),
          },
        ]
      : []),
  ]
  const most = Math.max(...shown.map(({ sums }) => figureOf(measure, sums)), Number.MIN_VALUE)
  return (
    <Paper component="section" aria-label={texts.by[by].title}>
      <Title order={2} mb="xs">
        {texts.by[by].title}
      </Title>
      <Table verticalSpacing={4} horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.by[by].column}</Table.Th>
            <Table.Th className={classes.number}>{texts.measures[measure]}</Table.Th>
            <Table.Th className={classes.number}>{texts.columns.failed}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ id, name, sums }) => {
            const value = figureOf(measure, sums)
            return (
              <Table.Tr key={id}>
                <Table.Th scope="row" fw={500} w="70%">
                  <span className={classes.share}>
                    {name}
                    {value > 0 && <span className={classes.fill} style={{ width: `${(value / most) * 100}%` }} />}
                  </span>
                </Table.Th>
                <Table.Td className={classes.number}>{readable(measure, value)}</Table.Td>
                <Table.Td className={classes.number}>{readable('tasks', sums.failed)}</Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}
