/** Turns the pages of a list; nothing while there is one page only. */
import { Group, Pagination, Text } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'

interface PagerProps {
  page: number
  pages: number
  total: number
  onTurn: (page: number) => void
}

export function Pager({ page, pages, total, onTurn }: PagerProps) {
  const { pager } = useTexts().shared
  if (pages <= 1) return null
  return (
    <Group justify="space-between" component="nav" aria-label={pager.label}>
      <Text size="sm" c="dimmed">
        {pager.total(total)}
      </Text>
      <Pagination
        value={page}
        total={pages}
        onChange={onTurn}
        size="sm"
        getItemProps={(each) => ({ 'aria-label': pager.to(each) })}
        getControlProps={(control) => ({
          'aria-label': control === 'next' ? pager.next : control === 'previous' ? pager.previous : control,
        })}
      />
    </Group>
  )
}
