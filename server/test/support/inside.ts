/** What a server has kept, seen from behind: its files and its records, on one machine or on many. */
import { readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { openS3 } from '../../src/blobs/s3-client.ts'

export interface Inside {
  /** The names of all stored files. */
  kept(): Promise<string[]>
  /** Everything that the database holds, as text to search in. */
  records(): Promise<string>
  rows(sql: string): Promise<Record<string, unknown>[]>
}

type Environment = Readonly<Record<string, string | undefined>>

export const insideOf = (data: string, env: Environment): Inside =>
  env.REFORGE_DATABASE_URL ? shared(env, env.REFORGE_DATABASE_URL) : alone(data)

const alone = (data: string): Inside => ({
  async kept() {
    const entries = await readdir(join(data, 'blobs'), { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  },
  // The file and what is written ahead of it.
  async records() {
    const files = readdirSync(data).filter((name) => name.startsWith('reforge.db'))
    return files.map((name) => readFileSync(join(data, name), 'latin1')).join('\n')
  },
  async rows(sql) {
    const database = new DatabaseSync(join(data, 'reforge.db'), { readOnly: true })
    try {
      return database
        .prepare(sql)
        .all()
        .map((row) => ({ ...row }))
    } finally {
      database.close()
    }
  },
})

function shared(env: Environment, database: string): Inside {
  async function rows(sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: database })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
  return {
    kept: () => objectsOf(env),
    rows,
    async records() {
      const hidden = "('pg_catalog', 'information_schema')"
      const tables = await rows(
        `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables WHERE schemaname NOT IN ${hidden}`,
      )
      const texts: string[] = []
      for (const { name } of tables)
        texts.push(...(await rows(`SELECT t::text AS line FROM ${name} t`)).map(({ line }) => String(line)))
      return texts.join('\n')
    },
  }
}

export async function objectsOf(env: Environment): Promise<string[]> {
  const bucket = env.REFORGE_S3_BUCKET ?? ''
  const { client, sdk } = await openS3({
    bucket,
    region: 'us-east-1',
    endpoint: env.REFORGE_S3_ENDPOINT ?? null,
    publicEndpoint: null,
    accessKey: env.REFORGE_S3_ACCESS_KEY ?? '',
    secretKey: env.REFORGE_S3_SECRET_KEY ?? '',
    forcePathStyle: true,
  })
  const names: string[] = []
  let ContinuationToken: string | undefined
  do {
    const page = await client.send(
      new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: 'files/', ContinuationToken }),
    )
    for (const { Key = '' } of page.Contents ?? []) names.push(Key.slice('files/'.length))
    ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (ContinuationToken)
  client.destroy()
  return names
}
