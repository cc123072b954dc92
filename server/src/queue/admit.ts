/**
 * Who is let in. pg-boss hands out what it holds, to anybody and by priority alone; so it holds only as many tasks of an
 * owner as may run at once, and their priorities say whose turn it is. All other tasks that are on offer wait here, and
 * come in with the transactions that end others.
 *
 * Turns are start-time fair queueing: a task's rank is one more than the owner's last in the line, and at least that of
 * whoever is to be served now. So owners alternate, however many tasks one of them offers.
 */
import type { ShareOf } from '../ports/queue.ts'
import type { Postgres, Tx } from '../ports/sql.ts'
import { SCHEMA } from './pgboss-lines.ts'

const OFFERS = `${SCHEMA}.offers`
/** Of one owner in one line, whatever the share: what pg-boss holds stays small. */
const WINDOW = 500

const TABLE = `CREATE TABLE IF NOT EXISTS ${OFFERS} (
  id text PRIMARY KEY, job uuid NOT NULL, line text NOT NULL, owner text NOT NULL, priority int NOT NULL,
  attempts int NOT NULL, seq bigint GENERATED ALWAYS AS IDENTITY, rank bigint
);
CREATE INDEX IF NOT EXISTS offers_waiting ON ${OFFERS} (owner, line, priority DESC, seq) WHERE rank IS NULL;
CREATE INDEX IF NOT EXISTS offers_of_owner ON ${OFFERS} (owner, line, rank) WHERE rank IS NOT NULL;
CREATE INDEX IF NOT EXISTS offers_by_rank ON ${OFFERS} (line, rank) WHERE rank IS NOT NULL`

/** Makes the table; several processes may try at once. */
export const createOffers = (database: Postgres): Promise<void> =>
  database.transact(async (tx) => {
    for (const statement of database.locks.alone) await tx.run(statement)
    await database.query(TABLE, [], tx)
  })

export interface OfferRow {
  id: string
  job: string
  line: string
  owner: string
  priority: number
  attempts: number
}
export interface Admitted extends OfferRow {
  rank: number
}

/** How one line looks to an owner. */
interface Standing {
  line: string
  /** Tasks of the owner that have been let in. */
  inside: number
  /** The rank for the owner's next task. */
  next: number
  /** Whether tasks of the owner wait outside. */
  waiting: boolean
}

export function createAdmission(database: Postgres, shareOf: ShareOf) {
  const rows = async <T>(tx: Tx, text: string, ...values: unknown[]): Promise<T[]> =>
    (await database.query(text, values, tx)).rows as T[]

  /** The owner's share. Where there is one, whoever counts against it takes turns. */
  async function shareIn(tx: Tx, owner: string): Promise<number> {
    const share = await shareOf(tx, owner)
    if (share === null) return Number.POSITIVE_INFINITY
    await rows(tx, 'SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', SCHEMA, owner)
    return share
  }

  const standings = (tx: Tx, owner: string, lines: readonly string[]): Promise<Standing[]> =>
    rows<Standing>(
      tx,
      `SELECT l.line,
        (SELECT count(*) FROM ${OFFERS} WHERE owner = $1 AND line = l.line AND rank IS NOT NULL)::int AS inside,
        greatest(
          (SELECT max(rank) + 1 FROM ${OFFERS} WHERE owner = $1 AND line = l.line AND rank IS NOT NULL),
          (SELECT min(rank) FROM ${OFFERS} WHERE line = l.line AND rank IS NOT NULL), 0
        )::int AS next,
        EXISTS (SELECT 1 FROM ${OFFERS} WHERE owner = $1 AND line = l.line AND rank IS NULL) AS waiting
      FROM unnest($2::text[]) AS l (line)`,
      owner,
      lines,
    )

  /** Lets in those who wait longest, as far as there is room. */
  async function letIn(tx: Tx, owner: string, { line, next }: Standing, room: number): Promise<Admitted[]> {
    const first = `SELECT id, row_number() OVER () AS place FROM (
      SELECT id FROM ${OFFERS} WHERE owner = $1 AND line = $2 AND rank IS NULL
      ORDER BY priority DESC, seq LIMIT $3 FOR UPDATE SKIP LOCKED
    ) AS waiting`
    const found = await rows<Admitted>(
      tx,
      `UPDATE ${OFFERS} AS o SET rank = $4::bigint + first.place - 1 FROM (${first}) AS first WHERE o.id = first.id
       RETURNING o.id, o.job, o.line, o.owner, o.priority, o.attempts, o.rank::int`,
      owner,
      line,
      room,
      next,
    )
    return found.sort((a, b) => a.rank - b.rank)
  }

  /** `all` are the lines there are: a share that was full is full in all of them. */
  async function admit(tx: Tx, owner: string, lines: readonly string[], all: readonly string[]): Promise<Admitted[]> {
    const share = await shareIn(tx, owner)
    const known = await standings(tx, owner, share === Number.POSITIVE_INFINITY ? lines : all)
    let left = share - known.reduce((sum, { inside }) => sum + inside, 0)
    const admitted: Admitted[] = []
    for (const standing of known) {
      const room = Math.min(left, WINDOW - standing.inside)
      if (!standing.waiting || room <= 0) continue
      const some = await letIn(tx, owner, standing, room)
      left -= some.length
      admitted.push(...some)
    }
    return admitted
  }

  return {
    admit,
    /** Throws when one of them is on offer already. */
    async add(tx: Tx, tasks: readonly OfferRow[]): Promise<void> {
      const column = (name: keyof OfferRow) => tasks.map((task) => task[name])
      const added = await rows(
        tx,
        `INSERT INTO ${OFFERS} (id, job, line, owner, priority, attempts)
         SELECT * FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::int[], $6::int[])
         ON CONFLICT (id) DO NOTHING RETURNING id`,
        ...(['id', 'job', 'line', 'owner', 'priority', 'attempts'] as const).map(column),
      )
      if (added.length < tasks.length) throw new Error('a task is already on offer')
    },
    /** Takes tasks off offer, and answers those that were on it. */
    remove: (tx: Tx, ids: readonly string[]): Promise<(OfferRow & { rank: number | null })[]> =>
      rows(
        tx,
        `DELETE FROM ${OFFERS} WHERE id = ANY ($1::text[])
         RETURNING id, job, line, owner, priority, attempts, rank::int`,
        ids,
      ),
    /** The same for one that is held; nothing when it is another offer by now. */
    removeHeld: (tx: Tx, id: string, job: string): Promise<OfferRow[]> =>
      rows(
        tx,
        `DELETE FROM ${OFFERS} WHERE id = $1 AND job = $2 RETURNING id, job, line, owner, priority, attempts`,
        id,
        job,
      ),
    /** A held task becomes another offer of the same rank. */
    renew: (tx: Tx, id: string, job: string, fresh: { job: string; attempts: number }): Promise<Admitted[]> =>
      rows(
        tx,
        `UPDATE ${OFFERS} SET job = $3, attempts = $4 WHERE id = $1 AND job = $2
         RETURNING id, job, line, owner, priority, attempts, rank::int`,
        id,
        job,
        fresh.job,
        fresh.attempts,
      ),
    async isOnOffer(id: string, job: string): Promise<boolean> {
      const { rows } = await database.query(`SELECT 1 FROM ${OFFERS} WHERE id = $1 AND job = $2`, [id, job])
      return rows.length > 0
    },
    /** Owners of tasks that wait; found without walking over all that wait. */
    async waitingOwners(): Promise<string[]> {
      const next = (after: string) => `SELECT owner FROM ${OFFERS} WHERE rank IS NULL ${after} ORDER BY owner LIMIT 1`
      const { rows } = await database.query(
        `WITH RECURSIVE o (owner) AS ((${next('')}) UNION ALL
           SELECT (${next('AND owner > o.owner')}) FROM o WHERE o.owner IS NOT NULL
         ) SELECT owner FROM o WHERE owner IS NOT NULL LIMIT 1000`,
      )
      return rows.map(({ owner }) => String(owner))
    },
    /** By line, those that wait to be let in. */
    async outside(): Promise<{ line: string; waiting: number }[]> {
      const { rows } = await database.query(
        `SELECT line, count(*)::int AS waiting FROM ${OFFERS} WHERE rank IS NULL GROUP BY line`,
      )
      return rows.map(({ line, waiting }) => ({ line: String(line), waiting: Number(waiting) }))
    },
  }
}

/** Our priorities are few and small; between two of them there is room for many turns. */
const STEP = 100_000_000
const MOST_PRIORITY = 20
/** Those who are let in together with the same rank keep their order. */
const PLACES = 64

/** pg-boss serves the highest first. */
export function orderOf({ priority, rank }: Pick<Admitted, 'priority' | 'rank'>, place: number): number {
  const ours = Math.max(-MOST_PRIORITY, Math.min(MOST_PRIORITY, priority))
  const turn = rank * PLACES + Math.min(place, PLACES - 1)
  return ours * STEP - Math.min(turn, STEP - 1)
}
