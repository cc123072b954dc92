/** The API reference as one HTML page without scripts, rendered from the OpenAPI document. Works offline. */
import { STYLE } from './style.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
}

interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema: Schema
}

interface Endpoint {
  tags: string[]
  summary: string
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>
}

export interface ApiDocument {
  info: { title: string; version: string; description: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Endpoint>>
  components: { schemas: Record<string, Schema> }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const esc = (text: unknown): string => String(text).replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? '')
/** Words between back ticks are code. */
const prose = (text: string): string => esc(text).replace(/`([^`]+)`/g, '<code>$1</code>')
const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)
const anchor = (method: string, path: string): string => `${method}-${path}`.replace(/[^a-z0-9]+/gi, '-').toLowerCase()

function typeOf(schema: Schema): string {
  if (schema.$ref) return `<a href="#schema-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`
  if (schema.const !== undefined) return `<code>${esc(schema.const)}</code>`
  if (schema.enum) return schema.enum.map((value) => `<code>${esc(value)}</code>`).join(' ')
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'values'}`
  return esc([schema.type ?? 'any'].flat().join(' or '))
}

function bounds({ minimum, maximum, default: fallback }: Schema): string {
  const parts = []
  if (minimum !== undefined || maximum !== undefined) parts.push(`${minimum ?? '…'}–${maximum ?? '…'}`)
  if (fallback !== undefined) parts.push(`default ${esc(fallback)}`)
  return parts.length ? `<span class="dim">${parts.join(', ')}</span>` : ''
}

const row = (name: string, schema: Schema, required: boolean, description = schema.description ?? ''): string =>
  `<tr><td><code>${esc(name)}</code>${required ? ' <span class="must">required</span>' : ''}</td>` +
  `<td>${typeOf(schema)} ${bounds(schema)}</td><td>${prose(description)}</td></tr>`

function fields(schema: Schema): string {
  const required = new Set(schema.required ?? [])
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => row(name, field, required.has(name)))
  return rows.length ? `<table>${rows.join('')}</table>` : ''
}

const section = (title: string, content: string): string => (content ? `<h4>${title}</h4>${content}` : '')

function example(method: string, path: string, endpoint: Endpoint): string {
  const parts = [`curl --cacert data/tls/ca.pem`]
  if (method !== 'get') parts.push(`-X ${method.toUpperCase()}`)
  if (endpoint.security.some(({ key }) => key)) parts.push(`-H "Authorization: Bearer $REFORGE_API_KEY"`)
  if (endpoint.requestBody?.content['application/json']) parts.push(`-H "Content-Type: application/json" -d '{ … }'`)
  return `<pre>${esc(`${parts.join(' \\\n  ')} \\\n  https://localhost:8443${path}`)}</pre>`
}

const note = (text: string): string => ` <span class="dim">${text}</span>`
function accessNote(security: Endpoint['security']): string {
  if (security.length === 0) return note('No key needed.')
  if (security.some(({ session }) => session)) return note('Needs a signed-in session, by its cookie.')
  return security.some(({ key }) => key?.includes('admin')) ? note('For administrators.') : ''
}

function endpointHtml(path: string, method: string, endpoint: Endpoint): string {
  const [type, body] = Object.entries(endpoint.requestBody?.content ?? {})[0] ?? []
  const parameters = (endpoint.parameters ?? []).map((p) =>
    row(p.name, p.schema, p.required, p.description ?? `In the ${p.in}.`),
  )
  const answers = Object.entries(endpoint.responses).map(([status, { description, content }]) => {
    const schema = Object.values(content ?? {})[0]?.schema
    const shown = status.startsWith('2') && schema ? typeOf(schema) : ''
    return `<tr><td><code>${status}</code></td><td>${shown}</td><td>${prose(description)}</td></tr>`
  })
  return `<article id="${anchor(method, path)}">
<h3><span class="method ${method}">${method.toUpperCase()}</span> <span class="path">${esc(path)}</span></h3>
<p>${prose(endpoint.summary)}${accessNote(endpoint.security)}</p>
${section('Parameters', parameters.length ? `<table>${parameters.join('')}</table>` : '')}
${section(`Body <span class="dim">${esc(type ?? '')}</span>`, body ? fields(body.schema) : '')}
${section('Answers', `<details><summary>${answers.length} statuses</summary><table>${answers.join('')}</table></details>`)}
${example(method, path, endpoint)}
</article>`
}

export function referencePage({ info, tags, paths, components }: ApiDocument): string {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, endpoint]) => ({ path, method, endpoint })),
  )
  const inTag = (name: string) => all.filter(({ endpoint }) => endpoint.tags.includes(name))
  const menu = tags.map(
    ({ name }) =>
      `<h2>${esc(name)}</h2><ul>${inTag(name)
        .map(
          ({ path, method }) =>
            `<li><a href="#${anchor(method, path)}"><span class="method ${method}">${method.toUpperCase()}</span>${esc(path)}</a></li>`,
        )
        .join('')}</ul>`,
  )
  const main = tags.map(
    ({ name }) =>
      `<section><h2>${esc(name)}</h2>${inTag(name)
        .map(({ path, method, endpoint }) => endpointHtml(path, method, endpoint))
        .join('')}</section>`,
  )
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `<article id="schema-${esc(name)}"><h3>${esc(name)}</h3>${fields(schema)}</article>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${esc(info.title)} API ${esc(info.version)}</title><style>${STYLE}</style></head>
<body><nav><h1>${esc(info.title)} API</h1><p class="dim">Version ${esc(info.version)} · <a href="/openapi.json">openapi.json</a></p>${menu.join('')}
<h2>Shapes</h2><ul>${Object.keys(components.schemas)
    .map((name) => `<li><a href="#schema-${esc(name)}">${esc(name)}</a></li>`)
    .join('')}</ul></nav>
<main><header><h1>${esc(info.title)} API</h1><p>${prose(info.description)}</p>
<p>Send <code>Authorization: Bearer &lt;API_KEY&gt;</code> with every request that needs a key. Errors have one shape: <a href="#schema-Error">Error</a>.</p></header>
${main.join('')}<section><h2>Shapes</h2>${schemas.join('')}</section></main></body></html>`
}
