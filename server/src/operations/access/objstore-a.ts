/** How to get into a bucket of the first kind (S3). The same fields for the way in and the way out. */
import { openS3 } from '../../connectors/s3.ts'
import type { Storage } from '../../connectors/storage.ts'
import type { Issue } from '../../core/errors.ts'
import type { RunContext } from '../operation.ts'
import { given, perhapsSecret, place, secretText, text } from './fields.ts'

export const objstoreAAccess = {
  bucket: text('Bucket name.'),
  region: text('Region identifier, such as `eu-central-1`.'),
  access_key_id: text('Access key id.'),
  secret_access_key: secretText('Secret access key.'),
  session_token: perhapsSecret('Session token of temporary credentials.'),
  endpoint: place('Address of an S3-compatible server; the default is built from `region`.'),
}

export const objstoreASecrets = ['secret_access_key', 'session_token'] as const

interface Access {
  bucket: string
  region: string
  access_key_id: string
  secret_access_key: string
  session_token?: string
  endpoint?: string
}

export function checkObjstoreA({ region, endpoint }: Pick<Access, 'region' | 'endpoint'>): Issue[] {
  const issues: Issue[] = []
  // It becomes a part of a host name.
  if (!/^[A-Za-z0-9-]{1,64}$/.test(region))
    issues.push({ path: 'region', message: 'must be a region identifier: letters, digits and dashes.' })
  if (given(endpoint) && !endpointUrl(endpoint))
    issues.push({
      path: 'endpoint',
      message: 'must be the address of a server, such as https://s3.example.org:9000, without credentials or query.',
    })
  return issues
}

export const openObjstoreA = (params: Access, { guard, signal }: RunContext<unknown>): Promise<Storage> =>
  openS3(
    { ...params, endpoint: given(params.endpoint) ? endpointUrl(params.endpoint)?.href : undefined },
    guard,
    signal,
  )

/** Many people write only the host. */
function endpointUrl(given: string): URL | null {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) return null
  return url
}
