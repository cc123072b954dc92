/** Addresses that carry their right along: downloads, upload forms and resumable uploads. */
import { linkUrl, type Signer, type Verdict } from '../core/sign.ts'
import type { Task, TaskFile } from '../core/task.ts'

export interface Links {
  self(path: string): string
  download(task: Task, file: TaskFile): string
  form(task: Task): { url: string; parameters: Record<string, string>; resumable: string; direct?: string }
  checkDownload(path: string, expires: string, signature: string, now: number): Verdict
  checkForm(task: string, expires: string, signature: string, now: number): Verdict
  /** The token of a resumable upload, split; null when it has another shape. */
  readToken(token: string): { task: string; expires: string; signature: string } | null
}

const seconds = (ms: number): number => Math.floor(ms / 1000)

/** `direct`: clients may send files straight to where they are kept. */
export function createLinks(base: string, signer: Signer, uploadTimeout: number, direct = false): Links {
  const formPath = (task: string) => `/v1/upload/${task}`
  const verify = (method: string, path: string, expires: string, signature: string, now: number): Verdict =>
    /^\d{1,12}$/.test(expires)
      ? signer.verify({ method, path, expires: Number(expires) }, signature, seconds(now))
      : 'wrong'
  return {
    self: (path) => linkUrl(base, path),

    download(task, file) {
      const path = `/v1/files/${task.id}/${file.id}/${encodeURIComponent(file.filename)}`
      const expires = seconds(task.expiresAt)
      return linkUrl(base, path, { expires, signature: signer.sign({ method: 'GET', path, expires }) })
    },

    form(task) {
      const expires = String(seconds(task.createdAt) + uploadTimeout)
      const path = formPath(task.id)
      const signature = signer.sign({ method: 'POST', path, expires: Number(expires) })
      return {
        url: linkUrl(base, path),
        parameters: { expires, signature },
        resumable: linkUrl(base, `/v1/resumable/${task.id}-${expires}-${signature}`),
        ...(direct && { direct: linkUrl(base, `${path}/direct`) }),
      }
    },

    checkDownload: (path, expires, signature, now) => verify('GET', path, expires, signature, now),
    checkForm: (task, expires, signature, now) => verify('POST', formPath(task), expires, signature, now),

    readToken(token) {
      const [, task, expires, signature] = /^([0-9a-f]{24})-(\d{1,12})-([\w.-]+)$/.exec(token) ?? []
      return task && expires && signature ? { task, expires, signature } : null
    },
  }
}
