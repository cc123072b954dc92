/**
 * What was begun and never ended: parts of uploads whose sender died, files sent straight to the bucket that nobody
 * claimed. The bucket is asked to remove them by itself; the janitor does where it cannot.
 */
import type { LifecycleRule } from '@aws-sdk/client-s3'
import { type S3, statusOf } from './s3-client.ts'
import { INCOMING } from './s3-incoming.ts'

const DAYS = 1
const RULES: readonly LifecycleRule[] = [
  {
    ID: 'reforge-unfinished',
    Status: 'Enabled',
    Filter: { Prefix: '' },
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: DAYS },
  },
  { ID: 'reforge-unclaimed', Status: 'Enabled', Filter: { Prefix: INCOMING }, Expiration: { Days: DAYS } },
]

/** Adds our rules to those that the bucket has. Answers why it could not, or null. */
export async function keepRules({ sdk, client, bucket: Bucket }: S3): Promise<string | null> {
  const once = { abortSignal: AbortSignal.timeout(15_000) }
  try {
    const found = await client
      .send(new sdk.GetBucketLifecycleConfigurationCommand({ Bucket }), once)
      .then(({ Rules = [] }) => Rules)
      .catch((error) => {
        if ((error as Error).name === 'NoSuchLifecycleConfiguration') return []
        throw error
      })
    const lacking = RULES.filter(({ ID }) => !found.some((rule) => rule.ID === ID))
    if (lacking.length === 0) return null
    const LifecycleConfiguration = { Rules: [...found, ...lacking] }
    await client.send(new sdk.PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration }), once)
    return null
  } catch (error) {
    return `${(error as Error).name}${statusOf(error) ? ` (${statusOf(error)})` : ''}`
  }
}

/** Removes what was begun before then. Answers how much that was. */
export async function removeLeftovers({ sdk, client, bucket: Bucket }: S3, before: number): Promise<number> {
  let removed = 0
  const { Uploads = [] } = await client.send(new sdk.ListMultipartUploadsCommand({ Bucket }))
  for (const { Key, UploadId, Initiated } of Uploads) {
    if (!Key || !UploadId || !Initiated || Initiated.getTime() >= before) continue
    await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    removed++
  }
  const { Contents = [] } = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: INCOMING }))
  for (const { Key, LastModified } of Contents) {
    if (!Key || !LastModified || LastModified.getTime() >= before) continue
    await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }))
    removed++
  }
  return removed
}
