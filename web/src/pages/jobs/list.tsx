/** All jobs, newest first. Only the rows in sight exist; what one looks at stays where it is while new jobs come. */
import { Button, Center, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconArrowUp, IconShare3 } from '@tabler/icons-react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { ErrorBox } from '../../components/error-box.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Filters } from './filters.tsx'
import classes from './list.module.css'
import { Row } from './row.tsx'
import { type Filter, rowAt, type Stretch, useJobList } from './use-job-list.ts'

const ROW = 64
const FIRST_SIGHT = 20
/** Kept while one looks at a job and comes back. */
let kept: Filter = {}

const same = (a: Filter, b: Filter): boolean => JSON.stringify(a) === JSON.stringify(b)

export function JobList() {
  const texts = useTexts().jobs
  const [filter, setFilter] = useState(kept)
  const list = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [total, setTotal] = useState(0)
  const rows = useWindowVirtualizer({
    count: total,
    estimateSize: () => ROW,
    overscan: 8,
    scrollMargin: top,
    useFlushSync: false,
  })
  const shown = rows.getVirtualItems()
  const { data, error, refetch } = useJobList(filter, shown[0]?.index ?? 0, shown.at(-1)?.index ?? FIRST_SIGHT)
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0))
  useLayoutEffect(() => setTotal(data?.total ?? 0), [data?.total])
  const { fresh, goToTop } = useStillness(data, top)
  const choose = (next: Filter) => {
    kept = next
    setFilter(next)
    if (window.scrollY > top) window.scrollTo(0, 0)
  }
  const isNarrow = Object.keys(filter).length > 0
  return (
    <PageFrame
      title={texts.title}
      lead={texts.lead}
      actions={
        <Button component={Link} href="/builder" variant="default" leftSection={<IconShare3 size={18} />}>
          {texts.build}
        </Button>
      }
    >
      <Filters filter={filter} onChange={choose} />
      <Group justify="space-between" mih={30} aria-live="polite">
        <Text size="sm" c="dimmed">
          {data ? texts.list.total(data.total) : ' '}
        </Text>
        {isNarrow && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => choose({})}>
            {texts.list.clear}
          </Button>
        )}
      </Group>
      {error && !data && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={FIRST_SIGHT * 30} />}
      {data?.total === 0 && (isNarrow ? <Nothing /> : <Empty />)}
      <div ref={list}>
        {fresh > 0 && (
          <div className={classes.fresh}>
            <Button size="xs" radius="xl" leftSection={<IconArrowUp size={14} />} onClick={goToTop}>
              {texts.list.fresh(fresh)}
            </Button>
          </div>
        )}
        {data && data.total > 0 && (
          <div className={classes.box} data-waiting={same(data.filter, filter) ? undefined : true}>
            <ul
              className={classes.space}
              style={{ height: rows.getTotalSize(), margin: 0, padding: 0, listStyle: 'none' }}
              aria-label={texts.list.label}
            >
              {shown.map(({ index, start }) => (
                <li
                  key={rowAt(data, index)?.id ?? index}
                  className={classes.item}
                  style={{ transform: `translateY(${start - top}px)` }}
                  aria-setsize={data.total}
                  aria-posinset={index + 1}
                >
                  <Row job={rowAt(data, index)} />
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </PageFrame>
  )
}

/** New jobs push the others down; whoever has scrolled keeps the row they look at, and is told. */
function useStillness(data: Stretch | undefined, top: number) {
  const [fresh, setFresh] = useState(0)
  const last = useRef(data)
  useLayoutEffect(() => {
    const before = last.current
    last.current = data
    if (!data || !before || before === data || !same(before.filter, data.filter)) return
    const at = Math.floor((window.scrollY - top + headerHeight()) / ROW)
    if (at <= 0) return
    const held = rowAt(before, at)
    const now = held ? data.rows.findIndex(({ id }) => id === held.id) : -1
    const shift = now >= 0 ? now + data.first - at : data.total - before.total
    if (shift !== 0) window.scrollBy({ top: shift * ROW, behavior: 'instant' })
    if (data.total > before.total) setFresh((number) => number + data.total - before.total)
  }, [data, top])
  useLayoutEffect(() => {
    const look = () => window.scrollY <= top && setFresh(0)
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [top])
  return { fresh, goToTop: () => window.scrollTo({ top: 0, behavior: 'instant' }) }
}

const headerHeight = (): number => document.querySelector('header')?.offsetHeight ?? 0

function Empty() {
  const { list } = useTexts().jobs
  return (
    <Center mih={280}>
      <Stack align="center" gap="sm">
        <Title order={2}>{list.emptyTitle}</Title>
        <Text c="dimmed">{list.emptyLead}</Text>
        <Button component={Link} href="/">
          {list.emptyConvert}
        </Button>
      </Stack>
    </Center>
  )
}

function Nothing() {
  return (
    <Center mih={200}>
      <Text c="dimmed">{useTexts().jobs.list.nothingTitle}</Text>
    </Center>
  )
}
