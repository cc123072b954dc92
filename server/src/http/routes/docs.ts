/** The description of the API: for programs as OpenAPI, for people as a page. */
import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { type ApiDocument, referencePage } from '../reference/page.ts'
import { STYLE } from '../reference/style.ts'
import { type Route, route } from '../route.ts'

const styleHash = createHash('sha256').update(STYLE).digest('base64')

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
    route({
      method: 'GET',
      path: '/docs',
      tag: 'System',
      summary: 'The API reference as a page.',
      access: 'open',
      produces: 'text/html',
      answer: { status: 200, schema: Type.String() },
      async handle({ reply }) {
        reply.headers({
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
          'Cache-Control': 'no-cache',
        })
        return referencePage(document() as ApiDocument)
      },
    }),
  ]
}
