/** System: engines, sandbox, queue, disk, failures, slow conversions, machines. Looks again by itself. */
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorBox } from '../../components/error-box.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Condition } from './condition.tsx'
import { Engines } from './engines.tsx'
import { LatelySection } from './lately.tsx'
import { Nodes } from './nodes.tsx'

const LOOK_EVERY = 5000

export function SystemPage() {
  const { system: texts } = useTexts()
  const reforge = useReforge()
  const { data, error, refetch } = useQuery({
    queryKey: ['system'],
    queryFn: () => reforge.admin.system(),
    refetchInterval: LOOK_EVERY,
    staleTime: 0,
  })
  return (
    <PageFrame title={texts.title} lead={`${texts.lead} ${texts.live}`}>
      {error && <ErrorBox error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton h={400} />}
      {data && (
        <>
          <Condition system={data} />
          <Nodes nodes={data.nodes} />
          <LatelySection lately={data.lately} engines={data.engines} />
          <Engines engines={data.engines} install={data.install} />
        </>
      )}
    </PageFrame>
  )
}
