/** A copy made by the bucket itself; no byte comes by here. */
import type { S3 } from './s3-client.ts'

/** One request copies no more than this; longer objects are copied in parts. */
const AT_ONCE = 5 * 1024 ** 3
const PART = 1024 ** 3

interface Source {
  size: number
  /** Only if it still is what was looked at. */
  etag: string | undefined
}

export async function copyObject({ sdk, client, bucket }: S3, from: string, to: string, { size, etag }: Source) {
  const target = { Bucket: bucket, Key: to }
  const source = { CopySource: `${bucket}/${from}`, ...(etag && { CopySourceIfMatch: etag }) }
  if (size <= AT_ONCE) return void (await client.send(new sdk.CopyObjectCommand({ ...target, ...source })))
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(target))
  const upload = { ...target, UploadId }
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = []
    for (let start = 0; start < size; start += PART) {
      const PartNumber = Parts.length + 1
      const CopySourceRange = `bytes=${start}-${Math.min(size, start + PART) - 1}`
      const command = new sdk.UploadPartCopyCommand({ ...upload, ...source, PartNumber, CopySourceRange })
      Parts.push({ PartNumber, ETag: (await client.send(command)).CopyPartResult?.ETag })
    }
    await client.send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
  } catch (error) {
    await client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => {})
    throw error
  }
}
