/** Sends a file to its import task. Big ones in pieces, so that a lost connection costs a piece and not the file. */
import { type Reforge, ReforgeError, type Task } from '@reforge/sdk'
import { here } from '../place.ts'

const BIG = 16_000_000
const PIECE = 8_000_000
const PATIENCE = [500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000]

interface SendOptions {
  onProgress: (percent: number) => void
  signal: AbortSignal
}

export async function send(
  reforge: Reforge,
  task: Task,
  file: File,
  { onProgress, signal }: SendOptions,
): Promise<void> {
  const { form } = task.result
  if (!form) throw new ReforgeError(`The task ${task.id} does not wait for an upload.`, { code: 'no_form' })
  const tell = (sent: number) => onProgress(Math.floor((sent / Math.max(1, file.size)) * 100))
  if (file.size > BIG) return inPieces(here(form.resumable), file, tell, signal)
  const local = { ...task, result: { ...task.result, form: { ...form, url: here(form.url) } } }
  await reforge.upload(local, file, { onProgress: tell, signal })
}

async function inPieces(
  endpoint: string,
  file: File,
  tell: (sent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  // Fetched when the first big file comes.
  const { Upload } = await import('tus-js-client')
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint,
      chunkSize: PIECE,
      retryDelays: PATIENCE,
      metadata: { filename: file.name, filetype: file.type },
      storeFingerprintForResuming: false,
      onProgress: tell,
      onSuccess: () => resolve(),
      onError: (cause) => reject(new ReforgeError(wordsIn(cause), { code: 'upload_failed', cause })),
    })
    signal.addEventListener('abort', () => {
      void upload.abort()
      reject(signal.reason)
    })
    upload.start()
  })
}

/** The server's own words, where it had any. */
function wordsIn(error: Error): string {
  const answer = 'originalResponse' in error ? (error.originalResponse as { getBody(): string } | null) : null
  return answer?.getBody().slice(0, 300) || 'The upload broke off. Try again.'
}
