/** Where a file's own bytes are to be shown from: this browser, or the server when it has fetched them. */
import { useObjectUrl } from '../preview/object-url.ts'
import type { Subject } from './subject.ts'
import { useView } from './view.ts'

export function useOwn(subject: Subject, wanted: boolean): string | null {
  const { source } = subject
  const local = useObjectUrl(wanted && source.kind === 'file' ? source.file : null)
  const remote = useView(subject, wanted && source.kind === 'link' ? [] : null)
  return local ?? remote.data ?? null
}
