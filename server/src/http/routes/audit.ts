/** The audit log, for administrators. */
import { Type } from 'typebox'
import { PAGE, pageOf } from '../../core/page.ts'
import type { AuditEntry } from '../../ports/audit.ts'
import type { HttpDeps } from '../deps.ts'
import { type Route, route } from '../route.ts'
import { ref } from '../schemas.ts'
import { paging } from './tasks.ts'

const Query = Type.Object({
  user: Type.Optional(Type.String({ maxLength: 100, description: 'Id of who did it, or of whom it was done to.' })),
  action: Type.Optional(
    Type.String({ maxLength: 100, description: 'One action such as `key.created`, or a family such as `key`.' }),
  ),
  ...paging,
})

const shown = ({ user, email, via, viaId, at, ...entry }: AuditEntry) => ({
  ...entry,
  at: new Date(at).toISOString(),
  by: { user, email, via, id: viaId },
})

export function auditRoutes({ audit }: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/admin/audit',
      tag: 'Administration',
      summary: 'Who did what, newest first.',
      access: 'admin',
      query: Query,
      answer: { status: 200, schema: ref('AuditPage') },
      async handle({ query: { per_page = PAGE.default, page = 1, ...filter } }) {
        const { docs, total } = await audit.list(filter, page, per_page)
        return pageOf(docs.map(shown), total, page, per_page)
      },
    }),
  ]
}
