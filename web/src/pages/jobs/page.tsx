/** Jobs: the list, and each job on a page of its own. */
import { useRoute } from 'wouter'
import { JobView } from './job.tsx'
import { JobList } from './list.tsx'

export function JobsPage() {
  const [, params] = useRoute('/jobs/:id')
  return params ? <JobView key={params.id} id={params.id} /> : <JobList />
}
