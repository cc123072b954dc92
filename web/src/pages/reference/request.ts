/** What was filled in, as a request: its address, its body, and the same as a curl command. Pure. */
import { quoted } from '../../code/as-code.ts'
import type { Endpoint } from '../../openapi/document.ts'

export interface Filled {
  /** Path, query and header parameters, by name. */
  values: Readonly<Record<string, unknown>>
  /** JSON; undefined when there is none. */
  body: unknown
}

const given = (value: unknown): boolean => value !== undefined && value !== ''

export function missingOf({ parameters }: Endpoint, { values }: Filled): string[] {
  return parameters.filter(({ name, required }) => required && !given(values[name])).map(({ name }) => name)
}

export function pathOf(
  { path, parameters }: Endpoint,
  { values }: Filled,
  blank = (name: string) => `{${name}}`,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    given(values[name]) ? encodeURIComponent(String(values[name])) : blank(name),
  )
  const query = new URLSearchParams(
    parameters
      .filter((parameter) => parameter.in === 'query' && given(values[parameter.name]))
      .map(({ name }) => [name, String(values[name])]),
  )
  return query.size > 0 ? `${filled}?${query}` : filled
}

export function headersOf({ parameters, body }: Endpoint, { values, body: json }: Filled): Record<string, string> {
  const own = parameters
    .filter((parameter) => parameter.in === 'header' && given(values[parameter.name]))
    .map(({ name }) => [name, String(values[name])])
  return {
    ...Object.fromEntries(own),
    ...(body?.type === 'application/json' && json !== undefined && { 'Content-Type': 'application/json' }),
  }
}

export function curlOf(call: Endpoint, filled: Filled, url: string): string {
  const { method, scopes, byCookie, body } = call
  const parts = [`curl -sS ${method === 'GET' ? '' : `-X ${method} `}${quoted(url + pathOf(call, filled))}`]
  if (scopes && !byCookie) parts.push('-H "Authorization: Bearer $REFORGE_API_KEY"')
  for (const [name, value] of Object.entries(headersOf(call, filled))) parts.push(`-H ${quoted(`${name}: ${value}`)}`)
  if (body?.type === 'multipart/form-data') {
    const fields = Object.keys(body.schema.properties ?? {})
    parts.push(...fields.map((name) => `-F ${quoted(name === 'file' ? 'file=@photo.jpg' : `${name}=…`)}`))
  } else if (filled.body !== undefined) parts.push(`-d ${quoted(JSON.stringify(filled.body, null, 2))}`)
  return parts.join(' \\\n  ')
}
