/** One endpoint for each operation; all of them derive from its declaration. */
import { Type } from 'typebox'
import { InputField } from '../../operations/draft.ts'
import { planTask } from '../../operations/plan.ts'
import { createCreator } from '../create.ts'
import type { HttpDeps } from '../deps.ts'
import { type Route, route } from '../route.ts'
import { ref } from '../schemas.ts'

export function operationRoutes(deps: HttpDeps): Route[] {
  const create = createCreator(deps)
  return [...deps.operations.values()].map((operation) => {
    const [least, most] = operation.inputs
    const input = least > 0 ? InputField : Type.Optional(InputField)
    const body = most > 0 ? Type.Object({ input, ...operation.params.properties }) : operation.params
    const kind = operation.name.split('/')[0] ?? ''
    return route({
      method: 'POST',
      path: `/v1/process/${operation.name}`,
      tag: kind === 'import' ? 'Import' : kind === 'export' ? 'Export' : 'Process',
      summary: operation.summary,
      access: 'tasks:write',
      creates: true,
      body,
      answer: { status: 201, schema: ref('Task') },
      handle: (ask) =>
        create(
          ask,
          (context) => planTask(operation.name, ask.body, context),
          (change) => deps.present.task(change.tasks[0]!),
        ),
    })
  })
}
