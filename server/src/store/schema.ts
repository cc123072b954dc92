/**
 * The tables, as steps from an empty database to today's, in the SQL that SQLite and PostgreSQL share: text ids, whole
 * milliseconds, JSON as text, partial indexes. A step that has been released is never edited: add another.
 */
import type { Database, Tx } from '../ports/sql.ts'

const STEPS: readonly string[] = [
  `
CREATE TABLE users (id text PRIMARY KEY, email text NOT NULL UNIQUE, created_at bigint NOT NULL);
CREATE TABLE keys (
  id text PRIMARY KEY, user_id text NOT NULL REFERENCES users (id), name text NOT NULL, scopes text NOT NULL,
  hash text NOT NULL UNIQUE, created_at bigint NOT NULL
);
CREATE TABLE jobs (
  id text PRIMARY KEY, user_id text NOT NULL, tag text, webhook_url text, status text NOT NULL, open bigint NOT NULL,
  result text, created_at bigint NOT NULL, started_at bigint, ended_at bigint, updated_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX jobs_newest ON jobs (user_id, created_at, id);
CREATE INDEX jobs_by_status ON jobs (user_id, status, created_at, id);
CREATE INDEX jobs_by_tag ON jobs (user_id, tag, created_at, id) WHERE tag IS NOT NULL;
CREATE INDEX jobs_by_tag_status ON jobs (user_id, tag, status, created_at, id) WHERE tag IS NOT NULL;
CREATE INDEX jobs_oldest ON jobs (created_at);
CREATE TABLE tasks (
  id text PRIMARY KEY, user_id text NOT NULL, job_id text REFERENCES jobs (id), place bigint NOT NULL,
  name text NOT NULL, operation text NOT NULL, lane text NOT NULL, waits bigint NOT NULL, status text NOT NULL,
  payload text NOT NULL, sealed text, depends_on text NOT NULL, waiting_for bigint NOT NULL, priority bigint NOT NULL,
  attempts bigint NOT NULL, percent bigint, result text, created_at bigint NOT NULL, started_at bigint,
  ended_at bigint, updated_at bigint NOT NULL, expires_at bigint NOT NULL
);
CREATE INDEX tasks_newest ON tasks (user_id, created_at, id);
CREATE INDEX tasks_by_status ON tasks (user_id, status, created_at, id);
CREATE INDEX tasks_by_operation ON tasks (user_id, operation, created_at, id);
CREATE INDEX tasks_by_status_operation ON tasks (user_id, status, operation, created_at, id);
CREATE INDEX tasks_of_job ON tasks (job_id, place) WHERE job_id IS NOT NULL;
CREATE INDEX tasks_ready ON tasks (created_at, id) WHERE ended_at IS NULL AND waits = 0 AND waiting_for = 0;
CREATE INDEX tasks_uploading ON tasks (created_at, id) WHERE ended_at IS NULL AND waits = 1;
CREATE INDEX tasks_oldest_alone ON tasks (created_at) WHERE job_id IS NULL;
CREATE TABLE edges (
  input text NOT NULL, task text NOT NULL REFERENCES tasks (id) ON DELETE CASCADE, PRIMARY KEY (input, task)
);
CREATE INDEX edges_of_task ON edges (task);
CREATE TABLE blob_refs (
  blob text NOT NULL, task text NOT NULL REFERENCES tasks (id) ON DELETE CASCADE, expires_at bigint NOT NULL,
  PRIMARY KEY (blob, task)
);
CREATE INDEX blob_refs_of_task ON blob_refs (task);
CREATE INDEX blob_refs_oldest ON blob_refs (expires_at);
CREATE TABLE events (
  stream text NOT NULL, seq bigint NOT NULL, user_id text NOT NULL, at bigint NOT NULL, type text NOT NULL,
  data text NOT NULL, PRIMARY KEY (stream, seq)
);
CREATE INDEX events_oldest ON events (at);
CREATE TABLE answers (
  user_id text NOT NULL, answer_key text NOT NULL, fingerprint text NOT NULL, status bigint NOT NULL,
  body text NOT NULL, created_at bigint NOT NULL, PRIMARY KEY (user_id, answer_key)
);
CREATE INDEX answers_oldest ON answers (created_at);
CREATE TABLE tallies (
  user_id text NOT NULL, kind text NOT NULL, status text NOT NULL, operation text NOT NULL, n bigint NOT NULL,
  PRIMARY KEY (user_id, kind, status, operation)
);
CREATE TABLE usage (
  user_id text NOT NULL, day bigint NOT NULL, seconds double precision NOT NULL, PRIMARY KEY (user_id, day)
);
`,
  `
CREATE TABLE webhooks (
  id text PRIMARY KEY, user_id text NOT NULL, url text NOT NULL, events text NOT NULL, enabled bigint NOT NULL,
  reason text, secrets text NOT NULL, created_at bigint NOT NULL, updated_at bigint NOT NULL
);
CREATE INDEX webhooks_newest ON webhooks (user_id, created_at, id);
CREATE TABLE webhook_accounts (user_id text PRIMARY KEY, secrets text NOT NULL);
CREATE TABLE deliveries (
  id text PRIMARY KEY, user_id text NOT NULL, webhook_id text REFERENCES webhooks (id) ON DELETE CASCADE,
  url text NOT NULL, event text NOT NULL, job_id text, told text NOT NULL, status text NOT NULL,
  attempts bigint NOT NULL, next_at bigint, created_at bigint NOT NULL
);
CREATE INDEX deliveries_newest ON deliveries (user_id, created_at, id);
CREATE INDEX deliveries_of_webhook ON deliveries (webhook_id, created_at, id) WHERE webhook_id IS NOT NULL;
CREATE INDEX deliveries_due ON deliveries (next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX deliveries_oldest ON deliveries (created_at);
CREATE TABLE attempts (
  delivery_id text NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE, n bigint NOT NULL, at bigint NOT NULL,
  milliseconds bigint NOT NULL, status bigint, answer text NOT NULL, PRIMARY KEY (delivery_id, n)
);
`,
  `
ALTER TABLE keys ADD COLUMN last_used_at bigint;
UPDATE keys SET name = name || ' ' || id WHERE EXISTS (
  SELECT 1 FROM keys older WHERE older.user_id = keys.user_id AND older.name = keys.name AND older.id < keys.id
);
CREATE UNIQUE INDEX keys_by_name ON keys (user_id, name);
`,
  `
ALTER TABLE users ADD COLUMN role text NOT NULL DEFAULT 'user';
ALTER TABLE users ADD COLUMN suspended_at bigint;
ALTER TABLE users ADD COLUMN password text;
UPDATE users SET role = 'admin' WHERE id = (SELECT min(id) FROM users);
CREATE INDEX users_newest ON users (created_at, id);
CREATE INDEX users_ruling ON users (id) WHERE role = 'admin';
CREATE TABLE identities (
  issuer text NOT NULL, subject text NOT NULL, user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_of_user ON identities (user_id);
CREATE TABLE sessions (
  id text PRIMARY KEY, user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE, hash text NOT NULL UNIQUE,
  created_at bigint NOT NULL, seen_at bigint NOT NULL, idle_at bigint NOT NULL, ends_at bigint NOT NULL
);
CREATE INDEX sessions_of_user ON sessions (user_id);
CREATE INDEX sessions_oldest ON sessions (idle_at);
CREATE TABLE session_tokens (
  hash text PRIMARY KEY, session_id text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, ends_at bigint NOT NULL
);
CREATE INDEX session_tokens_of_session ON session_tokens (session_id, ends_at);
CREATE TABLE tickets (
  hash text PRIMARY KEY, user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE, kind text NOT NULL,
  created_at bigint NOT NULL, ends_at bigint NOT NULL
);
CREATE INDEX tickets_of_user ON tickets (user_id);
CREATE TABLE trials (subject text PRIMARY KEY, failures bigint NOT NULL, free_at bigint NOT NULL, at bigint NOT NULL);
CREATE INDEX trials_oldest ON trials (at);
CREATE TABLE audit (
  id text PRIMARY KEY, at bigint NOT NULL, user_id text, email text, via text NOT NULL, via_id text, address text,
  action text NOT NULL, target text, detail text NOT NULL
);
CREATE INDEX audit_newest ON audit (at, id);
CREATE INDEX audit_of_user ON audit (user_id, at, id);
CREATE INDEX audit_by_action ON audit (action, at, id);
`,
  `
CREATE TABLE plans (
  name text PRIMARY KEY, minutes_per_day double precision, minutes_per_month double precision,
  minutes_per_task double precision, concurrency bigint, max_file_size bigint, rate_per_minute bigint,
  files_hours double precision, records_hours double precision
);
INSERT INTO plans (name) VALUES ('unlimited');
INSERT INTO plans VALUES ('guest', 10, 60, 5, 1, 104857600, 300, 1, 4);
ALTER TABLE users ADD COLUMN plan text NOT NULL DEFAULT 'unlimited';
CREATE INDEX users_of_plan ON users (plan);
ALTER TABLE keys ADD COLUMN budget_minutes double precision;
ALTER TABLE keys ADD COLUMN budget_per text;
ALTER TABLE tasks ADD COLUMN key_id text;
ALTER TABLE tasks ADD COLUMN kept_until bigint NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN taken_at bigint;
ALTER TABLE tasks ADD COLUMN bytes_in bigint NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN source text;
UPDATE tasks SET kept_until = created_at + 86400000;
DROP INDEX tasks_oldest_alone;
CREATE INDEX tasks_ending_alone ON tasks (kept_until) WHERE job_id IS NULL;
CREATE INDEX tasks_taken ON tasks (user_id) WHERE taken_at IS NOT NULL AND ended_at IS NULL;
DROP INDEX jobs_oldest;
CREATE INDEX jobs_ending ON jobs (expires_at);
ALTER TABLE usage RENAME TO meters;
ALTER TABLE meters RENAME COLUMN user_id TO who;
CREATE INDEX meters_oldest ON meters (day);
CREATE TABLE usage (
  user_id text NOT NULL, day bigint NOT NULL, key_id text NOT NULL, operation text NOT NULL, source text NOT NULL,
  format text NOT NULL, tasks bigint NOT NULL, failed bigint NOT NULL, seconds double precision NOT NULL,
  bytes_in bigint NOT NULL, bytes_out bigint NOT NULL,
  PRIMARY KEY (user_id, day, key_id, operation, source, format)
);
CREATE INDEX usage_oldest ON usage (day);
INSERT INTO usage SELECT who, day, '', '', '', '', 0, 0, seconds, 0, 0 FROM meters;
`,
  `
ALTER TABLE tasks ADD COLUMN needs text;
CREATE INDEX tasks_needing ON tasks (updated_at) WHERE needs IS NOT NULL AND ended_at IS NULL;
CREATE TABLE nodes (
  id text PRIMARY KEY, role text NOT NULL, version text NOT NULL, name text NOT NULL, abilities text NOT NULL,
  capacity text NOT NULL, started_at bigint NOT NULL, seen_at bigint NOT NULL
);
CREATE INDEX nodes_seen ON nodes (seen_at);
`,
  `
CREATE TABLE installation (name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE requests (
  who text NOT NULL, minute bigint NOT NULL, n bigint NOT NULL, PRIMARY KEY (who, minute)
);
CREATE INDEX requests_oldest ON requests (minute);
`,
  `
CREATE TABLE parts (
  id text PRIMARY KEY, task_id text NOT NULL, place bigint NOT NULL, user_id text NOT NULL, work text NOT NULL,
  percent bigint NOT NULL, blob text, size bigint, msg text
);
CREATE INDEX parts_by_blob ON parts (blob) WHERE blob IS NOT NULL;
CREATE UNIQUE INDEX parts_of_task ON parts (task_id, place);
`,
]

export class NewerSchema extends Error {
  constructor(found: number) {
    super(`the database has schema ${found}, made by a newer release; this one knows ${STEPS.length}`)
    this.name = 'NewerSchema'
  }
}

/**
 * Brings the database to today's schema, in one transaction; several processes may try at once. Tests stop at an earlier
 * step, to see what becomes of what was there then.
 */
export function migrate(database: Database, upTo = STEPS.length): Promise<void> {
  return database.transact(async (tx) => {
    for (const statement of database.locks.alone) await tx.run(statement)
    await tx.run('CREATE TABLE IF NOT EXISTS schema_version (version bigint NOT NULL)')
    const found = await versionOf(tx)
    if (found > STEPS.length) throw new NewerSchema(found)
    for (const step of STEPS.slice(found, upTo)) {
      for (const statement of step.split(/;\n/).filter((text) => text.trim() !== '')) await tx.run(statement)
    }
    if (found < upTo) await tx.run('UPDATE schema_version SET version = ?', upTo)
  })
}

async function versionOf(tx: Tx): Promise<number> {
  const [row] = await tx.all('SELECT version FROM schema_version')
  if (row) return Number(row.version)
  await tx.run('INSERT INTO schema_version (version) VALUES (0)')
  return 0
}
