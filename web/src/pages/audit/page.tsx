/** Audit: who did what, filtered and paged. Read only. */
import { Code, Skeleton, Text } from '@mantine/core'
import type { AuditEntry } from '@reforge/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useRoute } from 'wouter'
import { ErrorBox } from '../../components/error-box.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { Pager } from '../../components/pager.tsx'
import { Row, Rows } from '../../components/rows.tsx'
import { readableMoment } from '../../figures/figures.ts'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './audit.module.css'
import { Filters } from './filters.tsx'

const PER_PAGE = 30

export function AuditPage() {
  const { audit: texts } = useTexts()
  const reforge = useReforge()
  // The user is in the address, so that others can link to it.
  const [, params] = useRoute('/audit/:user')
  const [, navigate] = useLocation()
  const user = params?.user ?? null
  const [action, setAction] = useState<string | null>(null)
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery({
    queryKey: ['audit', user, action, page],
    queryFn: () => reforge.admin.audit({ page, per_page: PER_PAGE, ...(user && { user }), ...(action && { action }) }),
    staleTime: 0,
    placeholderData: (before) => before,
  })
  return (
    <PageFrame title={texts.title} lead={texts.lead}>
      <Filters
        filter={{ user, action }}
        onChange={(to) => {
          setPage(1)
          setAction(to.action)
          if (to.user !== user) navigate(to.user ? `/audit/${to.user}` : '/audit')
        }}
      />
      {error && <ErrorBox error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton h={300} />}
      {data?.totalDocs === 0 && <Text c="dimmed">{texts.none}</Text>}
      {data && data.totalDocs > 0 && (
        <Rows label={texts.list}>
          {data.docs.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </Rows>
      )}
      {data && <Pager page={page} pages={data.totalPages} total={data.totalDocs} onTurn={setPage} />}
    </PageFrame>
  )
}

const valueText = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value)

/** Keys and values of the detail, without braces. */
const detailText = (detail: AuditEntry['detail']): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name} ${valueText(value)}`)
    .join(' · ')

function Entry({ entry: { at, action, by, address, target, detail } }: { entry: AuditEntry }) {
  const { audit: texts } = useTexts()
  const who = by.email ?? (by.via === 'server' ? texts.server : texts.nobody)
  return (
    <Row
      title={
        <Text span fw={600} c={action === 'session.failed' ? 'red' : undefined}>
          {texts.actions[action]}
        </Text>
      }
      about={
        <>
          {target && <Code>{target}</Code>}
          <span className={classes.detail}>{detailText(detail)}</span>
        </>
      }
      facts={
        <>
          <Text size="sm">
            {who} {texts.via[by.via]}
          </Text>
          <Text size="xs" c="dimmed">
            {readableMoment(Date.parse(at))}
            {address && ` · ${address}`}
          </Text>
        </>
      }
    />
  )
}
