/** Follows a job to its end. Live events say at once what happens; looking finds out what they did not say. */
import { type Job, type Reforge, ReforgeError, type ReforgeEvent } from '@reforge/sdk'

interface Following {
  /** The task named `process` works, or waits for a worker. */
  onProgress: (progress: { stage: 'working' | 'waiting'; percent?: number | undefined; ahead?: number }) => void
  signal: AbortSignal
  /** The page's live events. */
  listen: (listener: (event: ReforgeEvent) => void) => () => void
}

const LOOK_FIRST = 2_000
const LOOK_LAST = 30_000

/** Until the job has ended, by live events, and by looking now and then in case they get lost. */
export function follow(reforge: Reforge, id: string, { listen, onProgress, signal }: Following): Promise<Job> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>
    const lookIn = (ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(() => void look(Math.min(ms * 2, LOOK_LAST)), ms)
    }
    const look = async (next: number) => {
      try {
        const job = await reforge.jobs.get(id, { signal })
        if (job.status === 'completed' || job.status === 'failed') end(() => resolve(job))
        else lookIn(tellPlace(job) ? LOOK_FIRST : next)
      } catch (error) {
        // A connection that is away for a moment is no reason to give up.
        if (isFinal(error)) end(() => reject(error))
        else lookIn(next)
      }
    }
    /** Nothing tells that the line has moved: as long as it stands in one, it is looked at. */
    const tellPlace = ({ tasks = [] }: Job): boolean => {
      const ahead = tasks.find(({ name }) => name === 'process')?.ahead
      if (ahead !== undefined) onProgress({ stage: 'waiting', ahead })
      return ahead !== undefined
    }
    const deaf = listen(({ type, data }) => {
      if ('operation' in data) {
        if (data.job !== id) return
        lookIn(LOOK_LAST)
        if (data.name === 'process' && data.status === 'processing')
          onProgress({ stage: 'working', percent: data.percent })
      } else if (data.id === id && /_(completed|failed|deleted)$/.test(type)) void look(LOOK_LAST)
    })
    const stop = () => end(() => reject(signal.reason))
    function end(settle: () => void) {
      clearTimeout(timer)
      deaf()
      signal.removeEventListener('abort', stop)
      settle()
    }
    signal.addEventListener('abort', stop)
    lookIn(LOOK_FIRST)
  })
}

const isFinal = (error: unknown): boolean =>
  error instanceof ReforgeError && error.status >= 400 && error.status < 500 && error.status !== 429
