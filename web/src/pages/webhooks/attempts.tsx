/** Every attempt at one delivery, and what was answered. */
import { Skeleton, Table, Text } from '@mantine/core'
import type { Delivery } from '@reforge/sdk'
import { useQuery } from '@tanstack/react-query'
import { ErrorBox } from '../../components/error-box.tsx'
import { Wide } from '../../components/wide.tsx'
import { readableDuration } from '../../figures/figures.ts'
import { When } from '../../figures/when.tsx'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './deliveries.module.css'

const isGood = (status: number | null): boolean => status !== null && status >= 200 && status < 300

export function Attempts({ delivery }: { delivery: Delivery }) {
  const texts = useTexts().webhooks.deliveries
  const reforge = useReforge()
  // With the number of attempts in its name: another one is another question.
  const { data, error } = useQuery({
    queryKey: ['delivery', delivery.id, delivery.attempts, delivery.status],
    queryFn: () => reforge.webhooks.delivery(delivery.id),
    placeholderData: (before) => before,
  })
  if (error) return <ErrorBox error={error} />
  if (!data) return <Skeleton h={60} />
  return (
    <div className={classes.attempts}>
      <dl className={classes.about}>
        <dt>{texts.to}</dt>
        <dd>{data.url}</dd>
        <dt>{texts.id}</dt>
        <dd>
          <code>{data.id}</code>
        </dd>
      </dl>
      {data.log.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.noLog}
        </Text>
      ) : (
        <Wide label={texts.log} least={460}>
          <Table aria-label={texts.log} verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{texts.when}</Table.Th>
                <Table.Th>{texts.status}</Table.Th>
                <Table.Th>{texts.took}</Table.Th>
                <Table.Th>{texts.answer}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.log.map(({ at, status, milliseconds, answer }) => (
                <Table.Tr key={at}>
                  <Table.Td className={classes.short}>
                    <When at={at} />
                  </Table.Td>
                  <Table.Td className={classes.short}>
                    <Text span size="sm" fw={600} c={isGood(status) ? 'green' : 'red'}>
                      {status ?? texts.noAnswer}
                    </Text>
                  </Table.Td>
                  <Table.Td className={classes.short}>{readableDuration(milliseconds)}</Table.Td>
                  <Table.Td>
                    <code className={classes.answer}>{answer}</code>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Wide>
      )}
    </div>
  )
}
