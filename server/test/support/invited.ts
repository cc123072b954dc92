/** Sends bytes as an invitation says: as a plain form, or bare. */
import type { Invitation } from '../../src/ports/blobs.ts'

export function sendInvited({ method, url, parameters }: Invitation, bytes: string): Promise<Response> {
  if (method === 'PUT') return fetch(url, { method, body: bytes })
  const body = new FormData()
  for (const [name, value] of Object.entries(parameters)) body.set(name, value)
  body.set('file', new Blob([bytes]), 'file')
  return fetch(url, { method, body })
}
