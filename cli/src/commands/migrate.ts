/** reforge migrate: from one machine to many, on the data folder itself, while the server does not run. */
import { resolve } from 'node:path'
import type { Command } from '../command.ts'
import { dataFolder, ROOT } from '../connect.ts'
import { UsageError } from '../exit.ts'
import { handOver, serverEnvironment } from '../hand-over.ts'

export const migrate: Command = {
  summary: 'Move from one machine to many: copy everything into an empty PostgreSQL.',
  about: [
    'Users, keys, webhooks, plans and live jobs with their events go over in one transaction and are counted; with',
    'REFORGE_S3_BUCKET set, files go into the bucket. The data folder stays as it is, and the server must not run.',
  ],
  flags: ['to', 'data'],
  examples: [
    ['reforge migrate --to postgres', 'to the database that REFORGE_DATABASE_URL names'],
    ['reforge migrate --to postgres://reforge:secret@db.example.org/reforge', 'to this one'],
  ],
  run(context) {
    const { values, env } = context
    if (!values.to) throw new UsageError('Say where to: reforge migrate --to postgres://user:password@host/database')
    const own = { REFORGE_DATA: values.data ? resolve(values.data) : dataFolder(env) }
    const args = ['migrate', '--to', values.to]
    return handOver(context, 'server/src/admin.ts', args, { cwd: ROOT, env: serverEnvironment(env, own) })
  },
}
