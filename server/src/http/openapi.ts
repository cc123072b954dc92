/** The OpenAPI 3.1 document, made from the declared routes. It is committed as docs/openapi.json; the SDK's types come from it. */
import type { TSchema } from 'typebox'
import { COOKIE } from './cookie.ts'
import type { Access, Route } from './route.ts'
import { COMPONENTS } from './schemas.ts'

const PROBLEMS: Record<string, string> = {
  400: 'A parameter is invalid; every problem is listed with its path.',
  401: 'The key is missing or invalid.',
  402: 'The account has no conversion minutes left.',
  403: 'Access is denied.',
  404: 'It does not exist.',
  406: 'A format other than the one of this address was requested.',
  409: 'It conflicts with what exists.',
  413: 'It is too large.',
  429: 'Too many requests; see Retry-After.',
}

const problem = (status: string) => ({
  description: PROBLEMS[status] ?? '',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

/** The statuses a route may answer besides success. */
function statuses(route: Route): string[] {
  const found = ['400', '406', '429']
  if (route.access === 'signed' || route.access === 'visitor') found.push('403')
  else if (route.access !== 'open') found.push('401', '403')
  if (route.path.includes(':')) found.push('404')
  if (route.creates) found.push('402', '409')
  if (route.path.endsWith('/cancel') || route.raw) found.push('409')
  if (route.raw || route.body) found.push('413')
  return [...new Set(found)].sort()
}

/** Which scope a key needs is said by the requirement's list, as OpenAPI 3.1 has it for any scheme. */
function securityOf(access: Access) {
  if (access === 'open' || access === 'signed' || access === 'visitor') return []
  if (access === 'session') return [{ session: [] }]
  return [{ key: access === 'admin' ? ['account', 'admin'] : [access] }]
}

function parameters(route: Route) {
  const path = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const required = new Set(route.query?.required ?? [])
  const query = Object.entries(route.query?.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = schema as TSchema & { description?: string }
    return { name, in: 'query', required: required.has(name), ...(description && { description }), schema: rest }
  })
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'The first answer to this key is given again for 24 hours.',
    schema: { type: 'string', maxLength: 255 },
  }
  return [...path, ...query, ...(route.creates ? [key] : [])]
}

function operationOf(route: Route) {
  const { schema, status } = route.answer
  const type = route.produces ?? 'application/json'
  const list = parameters(route)
  return {
    tags: [route.tag],
    summary: route.summary,
    operationId: operationId(route),
    security: securityOf(route.access),
    ...(list.length && { parameters: list }),
    ...(route.body && {
      requestBody: {
        required: !route.creates || Object.keys((route.body as { required?: unknown }).required ?? {}).length > 0,
        content: { [route.raw ? 'multipart/form-data' : 'application/json']: { schema: route.body } },
      },
    }),
    responses: {
      [status]: { description: 'Success.', ...(schema && { content: { [type]: { schema } } }) },
      ...Object.fromEntries(statuses(route).map((code) => [code, problem(code)])),
    },
  }
}

/** `GET /v1/process/tasks/:taskId/wait` → `getProcessTasksByTaskIdWait`. */
function operationId({ method, path }: Route): string {
  const words = path
    .replace(/^\/v1/, '')
    .split(/[/_]/)
    .filter(Boolean)
    .map((word) => (word.startsWith(':') ? `By${capital(word.slice(1))}` : capital(word)))
  return method.toLowerCase() + words.join('')
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

export function createOpenApi(routes: readonly Route[], version: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Reforge',
      version,
      description:
        'Converts, compresses, merges, crops and trims files over HTTP, as single tasks or as jobs of tasks.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: "An API key, or a signed-in session's token." },
        session: { type: 'apiKey', in: 'cookie', name: COOKIE, description: 'Of the dashboard; no use under /v1.' },
      },
      schemas: COMPONENTS,
    },
  }
  // Schemas are shared objects with hidden members; the document is plain JSON.
  return JSON.parse(JSON.stringify(document)) as typeof document
}
