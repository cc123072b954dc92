/** What must be true of the database and the bucket of a service that has come to rest: each thing once, none without the other. */
import pg from 'pg'
import { objectsOf } from '../support/inside.ts'

type Check = readonly [what: string, sql: string]

const ENDS = "type IN ('task_completed', 'task_failed', 'task_canceled')"
const TASK = "data::json -> 'task' ->> 'id'"

/** Each finds rows that must not be there. */
const CHECKS: readonly Check[] = [
  [
    'a stream of events with a gap',
    'SELECT stream FROM events GROUP BY stream HAVING min(seq) <> 1 OR max(seq) <> count(*)',
  ],
  ['a task that ended twice', `SELECT ${TASK} AS task FROM events WHERE ${ENDS} GROUP BY 1 HAVING count(*) > 1`],
  [
    'a task that was told to start twice',
    `SELECT ${TASK} AS task FROM events WHERE type = 'task_started' GROUP BY 1 HAVING count(*) > 1`,
  ],
  [
    'a job that ended twice',
    "SELECT stream FROM events WHERE type IN ('job_completed', 'job_failed') GROUP BY stream HAVING count(*) > 1",
  ],
  ['a task that has not ended', 'SELECT id, operation, status, attempts FROM tasks WHERE ended_at IS NULL'],
  ['a completed job with an open task', "SELECT id FROM jobs WHERE status = 'completed' AND open <> 0"],
  [
    'a file that nobody keeps',
    `SELECT t.id FROM tasks t, json_array_elements(t.result::json -> 'files') AS f WHERE NOT EXISTS (
      SELECT 1 FROM blob_refs WHERE task = t.id AND blob = f ->> 'blob')`,
  ],
  [
    'a wrong sum',
    `SELECT user_id, status, operation, count(*) AS n FROM tasks GROUP BY 1, 2, 3
      EXCEPT SELECT user_id, status, operation, n FROM tallies WHERE kind = 'task' AND n <> 0`,
  ],
]

export interface Remains {
  /** Objects that no record names: whoever wrote them died before the record did. The janitor takes them later. */
  orphans: number
  blobs: number
}

export async function inspect(env: Record<string, string>, wrong: string[]): Promise<Remains> {
  const client = new pg.Client({ connectionString: env.REFORGE_DATABASE_URL })
  await client.connect()
  try {
    for (const [what, sql] of CHECKS)
      for (const row of (await client.query(sql)).rows) wrong.push(`there is ${what}: ${JSON.stringify(row)}`)
    const { rows } = await client.query('SELECT DISTINCT blob FROM blob_refs')
    const named = new Set<string>(rows.map(({ blob }) => blob))
    const kept = new Set(await objectsOf(env))
    for (const blob of named) if (!kept.has(blob)) wrong.push(`the record of ${blob} has no file`)
    return { orphans: [...kept].filter((blob) => !named.has(blob)).length, blobs: kept.size }
  } finally {
    await client.end()
  }
}
