/** The OpenAPI document itself. */
import { Type } from 'typebox'
import { type Route, route } from '../route.ts'

export function docsRoutes(document: () => object): Route[] {
  return [
    route({
      method: 'GET',
      path: '/openapi.json',
      tag: 'System',
      summary: 'This description of the API, as OpenAPI 3.1.',
      access: 'open',
      cors: true,
      answer: { status: 200, schema: Type.Unsafe<unknown>({ type: 'object' }) },
      handle: async () => document(),
    }),
  ]
}
