/** Sends the files of a job that has just been made, by the names of their tasks. A job whose file does not come is ended. */
import type { Job, Reforge } from '@reforge/sdk'
import { createGate } from './gate.ts'
import { send } from './send.ts'

interface SendAllOptions {
  onProgress?: (task: string, percent: number) => void
  signal?: AbortSignal
}

export async function sendAll(
  reforge: Reforge,
  job: Job,
  files: Readonly<Record<string, File | null>>,
  { onProgress, signal = new AbortController().signal }: SendAllOptions = {},
): Promise<void> {
  const gate = createGate(3)
  const sending = (job.tasks ?? []).map((task) => {
    const file = files[task.name]
    if (!file || !task.result.form) return null
    return gate.through(
      () => send(reforge, task, file, { onProgress: (percent) => onProgress?.(task.id, percent), signal }),
      signal,
    )
  })
  try {
    await Promise.all(sending)
  } catch (error) {
    await reforge.jobs.cancel(job.id).catch(() => null)
    throw error
  }
}
