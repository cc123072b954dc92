/** What must be true of the data folder of a stopped server: events in order and once, no bytes without a record or the other way. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { compose } from '../../src/compose.ts'
import { readConfig } from '../../src/config.ts'
import { HOUR } from '../../src/core/task.ts'

type Check = readonly [what: string, sql: string]

const ENDS = "type IN ('task_completed', 'task_failed', 'task_canceled')"

/** Each finds rows that must not be there. */
const CHECKS: readonly Check[] = [
  [
    'a stream of events with a gap',
    'SELECT stream FROM events GROUP BY stream HAVING min(seq) <> 1 OR max(seq) <> count(*)',
  ],
  [
    'a task that ended twice',
    `SELECT json_extract(data, '$.task.id') AS task FROM events WHERE ${ENDS} GROUP BY task HAVING count(*) > 1`,
  ],
  [
    'a task that started twice',
    `SELECT json_extract(data, '$.task.id') AS task FROM events WHERE type = 'task_started' GROUP BY task HAVING count(*) > 1`,
  ],
  [
    'a job that ended twice',
    "SELECT stream FROM events WHERE type IN ('job_completed', 'job_failed') GROUP BY stream HAVING count(*) > 1",
  ],
  [
    'a task whose end was not told',
    `SELECT id FROM tasks WHERE ended_at IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM events WHERE stream = coalesce(job_id, id) AND ${ENDS} AND json_extract(data, '$.task.id') = tasks.id)`,
  ],
  ['a task that has not ended', 'SELECT id FROM tasks WHERE ended_at IS NULL'],
  ['a completed job with an open task', "SELECT id FROM jobs WHERE status = 'completed' AND open <> 0"],
  [
    'a file that nobody keeps',
    `SELECT tasks.id FROM tasks, json_each(tasks.result, '$.files') AS file WHERE NOT EXISTS (
      SELECT 1 FROM blob_refs WHERE task = tasks.id AND blob = json_extract(file.value, '$.blob'))`,
  ],
  [
    'a wrong sum',
    `SELECT * FROM (
      SELECT user_id, status, operation, count(*) AS n FROM tasks GROUP BY 1, 2, 3
      EXCEPT SELECT user_id, status, operation, n FROM tallies WHERE kind = 'task' AND n <> 0)`,
  ],
  ['a damaged page', "SELECT integrity_check FROM pragma_integrity_check() WHERE integrity_check <> 'ok'"],
]

export async function inspect(data: string, wrong: string[]): Promise<{ orphans: number; blobs: number }> {
  const orphans = await sweepLater(data)
  const named = readDatabase(data, wrong)
  const kept = await filesBelow(join(data, 'blobs/files'))
  const left = [...(await filesBelow(join(data, 'blobs/tmp'))), ...(await filesBelow(join(data, 'uploads')))]
  for (const blob of kept) if (!named.has(blob)) wrong.push(`the file ${blob} has no record`)
  for (const blob of named) if (!kept.has(blob)) wrong.push(`the record of ${blob} has no file`)
  for (const name of left) wrong.push(`${name} was left behind`)
  return { orphans, blobs: kept.size }
}

function readDatabase(data: string, wrong: string[]): Set<string> {
  const database = new DatabaseSync(join(data, 'reforge.db'), { readOnly: true })
  try {
    for (const [what, sql] of CHECKS)
      for (const row of database.prepare(sql).all()) wrong.push(`there is ${what}: ${JSON.stringify(row)}`)
    return new Set(
      database
        .prepare('SELECT DISTINCT blob FROM blob_refs')
        .all()
        .map(({ blob }) => String(blob)),
    )
  } finally {
    database.close()
  }
}

/** The janitor leaves young bytes alone, since their record may be about to come: so it comes two hours later. */
async function sweepLater(data: string): Promise<number> {
  const config = readConfig({ REFORGE_DATA: data, REFORGE_LOG_LEVEL: 'silent' })
  const house = await compose(config, { now: () => Date.now() + 2 * HOUR })
  try {
    return (await house.janitor.sweep()).orphans
  } finally {
    await house.close()
  }
}

async function filesBelow(dir: string): Promise<Set<string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  return new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name))
}
