/** A body to begin with, made of its shape: what is required, with values that show what is meant. Pure. */
import { type Api, choicesOf, resolved, type Schema } from './document.ts'

/** What a field of this name usually holds. */
const USUAL: Record<string, unknown> = {
  url: 'https://example.com/photo.jpg',
  webhook_url: 'https://example.com/hook',
  input: '<task id>',
  output_format: 'pdf',
  filename: 'document.pdf',
  email: 'ada@example.com',
  file: 'data:text/plain;base64,aGVsbG8=',
  bucket: 'my-bucket',
  region: 'eu-central-1',
  host: 'files.example.com',
  username: 'ada',
  name: 'My script',
  tasks: {
    import: { operation: 'import/url', url: 'https://example.com/photo.jpg' },
    convert: { operation: 'convert', input: 'import', output_format: 'pdf' },
    export: { operation: 'export/url', input: 'convert' },
  },
}

export function exampleOf(schema: Schema, api: Pick<Api, 'schemas'>, name = '', depth = 0): unknown {
  if (name in USUAL) return USUAL[name]
  const real = resolved(schema, api)
  if (real.default !== undefined) return real.default
  if (real.const !== undefined) return real.const
  const [choice] = choicesOf(real) ?? []
  if (choice !== undefined) return choice
  if (real.anyOf?.[0]) return exampleOf(real.anyOf[0], api, name, depth + 1)
  const [type] = [real.type ?? 'object'].flat()
  if (type === 'array') return depth > 4 || !real.items ? [] : [exampleOf(real.items, api, '', depth + 1)]
  if (type === 'object') {
    if (depth > 4) return {}
    const fields = Object.entries(real.properties ?? {}).filter(([field]) => real.required?.includes(field))
    return Object.fromEntries(fields.map(([field, inner]) => [field, exampleOf(inner, api, field, depth + 1)]))
  }
  if (type === 'integer' || type === 'number') return real.minimum ?? 1
  if (type === 'boolean') return true
  return type === 'null' ? null : 'text'
}
