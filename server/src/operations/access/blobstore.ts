/** How to get into a container of blobs: the account's key, or a shared-access token instead. */
import { openBlobs } from '../../connectors/azure-blob.ts'
import type { Storage } from '../../connectors/storage.ts'
import type { Issue } from '../../core/errors.ts'
import type { RunContext } from '../operation.ts'
import { given, perhapsSecret, text } from './fields.ts'

export const blobstoreAccess = {
  container: text('Container name.'),
  storage_account: text('Storage account name.'),
  storage_access_key: perhapsSecret('Secret key; needed only when `sas_token` is not given.'),
  sas_token: perhapsSecret('Shared-access token, instead of the key.'),
}

export const blobstoreSecrets = ['storage_access_key', 'sas_token'] as const

interface Access {
  container: string
  storage_account: string
  storage_access_key?: string
  sas_token?: string
}

export function checkBlobstore(params: Omit<Access, 'container'>): Issue[] {
  const issues: Issue[] = []
  // It becomes a part of a host name.
  if (!/^[a-z0-9]{3,24}$/.test(params.storage_account))
    issues.push({ path: 'storage_account', message: 'must have 3 to 24 small letters and digits.' })
  if (!given(params.storage_access_key) && !given(params.sas_token))
    issues.push({ path: 'storage_access_key', message: 'is required, unless sas_token is given.' })
  return issues
}

export const openBlobstore = (params: Access, { guard, signal, storages }: RunContext<unknown>): Promise<Storage> =>
  openBlobs({ ...params, url: storages.blobstoreUrl }, guard, signal)
