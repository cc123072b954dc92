/** Servers that hold buckets, each real, and our blobs in a bucket of theirs. */
import { join } from 'node:path'
import { createS3Blobs, type S3BlobsOptions } from '../../src/blobs/s3-blobs.ts'
import { type Bucket, openS3 } from '../../src/blobs/s3-client.ts'
import { noCeph, startCeph } from '../peers/ceph.ts'
import { noSwift, type Swift, startSwift } from '../peers/swift.ts'
import { tempDir } from './temp-dir.ts'

export type Store = Pick<Swift, 'port' | 'endpoint' | 'access'> & AsyncDisposable

export interface BucketKind {
  name: string
  skip: string | false
  start(secret: string): Promise<Store>
  /** Takes forms and lifecycle rules. */
  able: boolean
}

export const BUCKETS: readonly BucketKind[] = [
  { name: 'Swift', skip: noSwift, start: startSwift, able: false },
  { name: 'Ceph', skip: noCeph, start: startCeph, able: true },
]

export const placeOf = ({ access }: Store, bucket: string, endpoint = access.endpoint): Bucket => ({
  bucket,
  region: access.region,
  accessKey: access.access_key_id,
  secretKey: access.secret_access_key,
  endpoint,
  publicEndpoint: null,
  forcePathStyle: true,
})

/** `told` is what it warned of. */
export async function openBucket(place: Bucket, options: Partial<S3BlobsOptions>) {
  const folder = await tempDir()
  const told: string[] = []
  const warn = (message: string) => void told.push(message)
  const scratch = join(folder.path, 'scratch')
  const blobs = await createS3Blobs(place, { scratch, warn, ...options }).catch(async (error) => {
    await folder.remove()
    throw error
  })
  return { blobs, told, scratch, folder: folder.path, place, close: folder.remove }
}

/** The name of every object and the number of uploads that are under way. */
export async function remains(place: Bucket) {
  const { client, sdk } = await openS3(place)
  const { Contents = [] } = await client.send(new sdk.ListObjectsV2Command({ Bucket: place.bucket }))
  const { Uploads = [] } = await client.send(new sdk.ListMultipartUploadsCommand({ Bucket: place.bucket }))
  client.destroy()
  return { objects: Contents.map(({ Key }) => Key), uploads: Uploads.length }
}
