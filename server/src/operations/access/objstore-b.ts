/** How to get into a bucket of the second kind: a service account. Where its servers are is the operator's to say. */
import { openGcs } from '../../connectors/gcs.ts'
import type { Storage } from '../../connectors/storage.ts'
import type { RunContext } from '../operation.ts'
import { secretText, text } from './fields.ts'

export const objstoreBAccess = {
  project_id: text('Cloud project id.'),
  bucket: text('Bucket name.'),
  client_email: text('Service account identity.'),
  private_key: secretText('Service account private key, PEM.'),
}

export const objstoreBSecrets = ['private_key'] as const

interface Access {
  bucket: string
  client_email: string
  private_key: string
}

export const openObjstoreB = (
  { bucket, client_email, private_key }: Access,
  { guard, signal, storages }: RunContext<unknown>,
): Storage => {
  const places = { url: storages.objstoreBUrl, tokenUrl: storages.objstoreBTokenUrl }
  return openGcs({ bucket, client_email, private_key, ...places }, guard, signal)
}
