/**
 * `node server/test/big-storage.ts [megabytes]`: a big file goes out to every storage whose peer is installed and comes in
 * again. "Memory does not grow with file size": the server may hold 100 MB more than before, whatever the size.
 */
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob'
import { download, upload } from './big-file/carry.ts'
import { hashOfNoise } from './big-file/noise.ts'
import { ended, type Leg, MOST_GROWN, remove, watched } from './big-file.ts'
import { type Field, openField } from './connectors/field.ts'
import { noAzurite } from './peers/azurite.ts'
import { noSshd } from './peers/sshd.ts'
import { noSwift } from './peers/swift.ts'

const MB = 2 ** 20
/** Loads the libraries and fills the pools before anything is measured. */
const WARM_UP = 24 * MB

interface Place {
  name: string
  access: object
  /** Fields that name the object, the same on the way out and in. */
  object: object
}

async function placesOf(field: Field): Promise<Place[]> {
  const places: Place[] = []
  if (!noSwift) {
    const { access, endpoint } = field.swift
    const credentials = { accessKeyId: access.access_key_id, secretAccessKey: access.secret_access_key }
    const s3 = new S3Client({ region: access.region, endpoint, forcePathStyle: true, credentials })
    await s3.send(new CreateBucketCommand({ Bucket: 'big' }))
    places.push({ name: 'objstore_a', access: { ...access, bucket: 'big' }, object: { key: 'big.bin' } })
  }
  if (!noAzurite) {
    const { account, key, url } = field.azurite
    const credential = new StorageSharedKeyCredential(account, key)
    await new BlobServiceClient(url.replace('{account}', account), credential).createContainer('big')
    const access = { container: 'big', storage_account: account, storage_access_key: key }
    places.push({ name: 'blobstore', access, object: { blob: 'big.bin' } })
  }
  if (!noSshd) {
    const { port, user, key, home } = field.sshd
    const access = { host: '127.0.0.1', port, username: user, private_key: key }
    places.push({ name: 'sftp', access, object: { file_string: `${home}/big.bin` } })
  }
  const { email, key } = field.bucket
  const access = { project_id: 'p', bucket: 'shelf', client_email: email, private_key: key }
  places.push({ name: 'objstore_b', access, object: { file: 'big.bin' } })
  return places
}

async function allLegs({ server }: Field, places: readonly Place[], size: number): Promise<Leg[]> {
  const right = hashOfNoise(size)
  const legs: Leg[] = []
  const create = async (operation: string, body: object = {}) =>
    (await server.call('POST', `/v1/process/${operation}`, body)).json
  const source = await create('import/upload')
  await upload(server, source.result.form, size)
  for (const { name, access, object } of places) {
    const out = () => create(`export/${name}`, { ...access, ...object, input: source.id })
    const work = async () => (await ended(server, (await out()).id)).result.size === size
    legs.push(await watched(server, `to ${name}`, work))
    const brought = await create(`import/${name}`, { ...access, ...object })
    legs.push(await watched(server, `from ${name}`, async () => (await ended(server, brought.id)).result.size === size))
    const { result } = await ended(server, brought.id)
    if ((await download(server, result.url, size)) !== right) legs.push({ name, seconds: 0, grown: 0, same: false })
    await remove(server, brought.id)
  }
  await remove(server, source.id)
  return legs
}

async function carryToStorages(size: number): Promise<Leg[]> {
  await using field = await openField()
  const places = await placesOf(field)
  await allLegs(field, places, WARM_UP)
  return await allLegs(field, places, size)
}

const size = Number(process.argv[2] ?? 200) * MB
const legs = await carryToStorages(size)
for (const { name, seconds, grown, same } of legs)
  console.log(
    `${name.padEnd(16)} ${seconds.toFixed(1)} s, ${Math.round(size / MB / seconds)} MB/s, ${Math.round(grown / MB)} MB more memory, ${same ? 'the same' : 'NOT the same'}`,
  )
process.exitCode = legs.every(({ same, grown }) => same && grown < MOST_GROWN) ? 0 : 1
