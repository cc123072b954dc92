/**
 * Where tests find the database and the bucket of a service of many processes. Whoever runs the tests has started both and
 * says so in the environment; every server of a test has a database and a bucket of its own there.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'

const VARIABLE = 'REFORGE_TEST_CLUSTER'

export interface ClusterPlace {
  /** A database from which others can be made. */
  database: string
  endpoint: string
  accessKey: string
  secretKey: string
}

export const clusterVariable = (place: ClusterPlace): Record<string, string> => ({ [VARIABLE]: JSON.stringify(place) })

/** By the folder of the server: one that is started again finds what it had. */
const made = new Map<string, Promise<Record<string, string>>>()

/** What all processes of one service are told; null where a server is one process. */
export async function clusterEnvironment(folder: string): Promise<Record<string, string> | null> {
  const text = process.env[VARIABLE]
  if (!text) return null
  const known = made.get(folder) ?? environmentAt(JSON.parse(text))
  made.set(folder, known)
  return known
}

export async function environmentAt({ database, endpoint, accessKey, secretKey }: ClusterPlace) {
  const name = `test-${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query(`CREATE DATABASE "${name}"`)
  await client.end()
  const url = new URL(database)
  url.pathname = `/${name}`
  return {
    REFORGE_DATABASE_URL: url.href,
    REFORGE_SECRET: randomBytes(32).toString('hex'),
    REFORGE_S3_BUCKET: name,
    REFORGE_S3_ENDPOINT: endpoint,
    REFORGE_S3_ACCESS_KEY: accessKey,
    REFORGE_S3_SECRET_KEY: secretKey,
    REFORGE_S3_FORCE_PATH_STYLE: '1',
  }
}
