/** What went on lately: where tasks failed, and what took long. */
import { Paper, SimpleGrid, Table, Text, Title } from '@mantine/core'
import type { SystemOverview } from '@reforge/sdk'
import { Wide } from '../../components/wide.tsx'
import { readableDuration, readableMoment, readableNumber } from '../../figures/figures.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './system.module.css'

type Lately = SystemOverview['lately']
type Engines = SystemOverview['engines']

/** Titles of the engines on a way. */
function useWay(engines: Engines): (ids: readonly string[]) => string {
  const texts = useTexts().system.lately
  return (ids) =>
    ids.map((id) => engines.find((engine) => engine.id === id)?.title ?? id).join(texts.after) || texts.noEngine
}

export function LatelySection({ lately, engines }: { lately: Lately; engines: Engines }) {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
      <Failures lately={lately} engines={engines} />
      <Slowest lately={lately} engines={engines} />
    </SimpleGrid>
  )
}

function Failures({ lately: { failures, failed, tasks, since }, engines }: { lately: Lately; engines: Engines }) {
  const texts = useTexts().system.lately
  const way = useWay(engines)
  return (
    <Paper component="section" aria-label={texts.failures}>
      <Title order={2}>{texts.failures}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {failed === 0 ? texts.noFailures(tasks) : texts.some(failed, tasks)}{' '}
        {texts.since(readableMoment(Date.parse(since)))}
      </Text>
      {failures.length > 0 && (
        <Wide label={texts.failures} least={360}>
          <Table verticalSpacing={6} aria-label={texts.failures}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{texts.engine}</Table.Th>
                <Table.Th>{texts.operation}</Table.Th>
                <Table.Th className={classes.number}>{texts.failed}</Table.Th>
                <Table.Th className={classes.number}>{texts.of}</Table.Th>
                <Table.Th className={classes.number}>{texts.rate}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {failures.map((row) => (
                <Table.Tr key={`${row.operation} ${row.engines.join()}`}>
                  <Table.Td>{way(row.engines)}</Table.Td>
                  <Table.Td>{row.operation}</Table.Td>
                  <Table.Td className={classes.number}>{readableNumber(row.failed)}</Table.Td>
                  <Table.Td className={classes.number}>{readableNumber(row.tasks)}</Table.Td>
                  <Table.Td className={classes.number}>{Math.round((row.failed / row.tasks) * 100)} %</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Wide>
      )}
    </Paper>
  )
}

function Slowest({ lately: { slowest, since }, engines }: { lately: Lately; engines: Engines }) {
  const texts = useTexts().system.lately
  const way = useWay(engines)
  return (
    <Paper component="section" aria-label={texts.slowest}>
      <Title order={2}>{texts.slowest}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {slowest.length === 0 && texts.noSlowest} {texts.since(readableMoment(Date.parse(since)))}
      </Text>
      {slowest.length > 0 && (
        <Wide label={texts.slowest} least={360}>
          <Table verticalSpacing={6} aria-label={texts.slowest}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{texts.conversion}</Table.Th>
                <Table.Th>{texts.engine}</Table.Th>
                <Table.Th className={classes.number}>{texts.average}</Table.Th>
                <Table.Th className={classes.number}>{texts.tasks}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {slowest.map((row) => (
                <Table.Tr key={`${row.operation} ${row.from} ${row.format}`}>
                  <Table.Td>
                    {row.operation === 'convert' ? '' : `${row.operation} `}
                    {[...new Set([row.from, row.format])].filter(Boolean).join(' → ')}
                  </Table.Td>
                  <Table.Td>{way(row.engines)}</Table.Td>
                  <Table.Td className={classes.number}>{readableDuration(row.seconds * 1000)}</Table.Td>
                  <Table.Td className={classes.number}>{readableNumber(row.tasks)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Wide>
      )}
    </Paper>
  )
}
