/** The server's OpenAPI document, read into what pages show: endpoints and the shapes they take. Pure but for the question. */
import type { Reforge } from '@reforge/sdk'
import { queryOptions } from '@tanstack/react-query'

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  description?: string
  default?: unknown
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}

export interface Answer {
  status: string
  description: string
  type: string | null
  schema: Schema | null
}

export interface Endpoint {
  id: string
  method: string
  path: string
  tag: string
  summary: string
  /** Scopes of the key; null when no key is needed. */
  scopes: string[] | null
  /** By the dashboard's cookie, not by a key. */
  byCookie: boolean
  parameters: Parameter[]
  body: { type: string; required: boolean; schema: Schema } | null
  answers: Answer[]
}

export interface Api {
  title: string
  version: string
  tags: string[]
  endpoints: Endpoint[]
  schemas: Record<string, Schema>
}

type Content = Record<string, { schema?: Schema }>

/** As the standard has it, as far as our server uses it. */
interface Document {
  info: { title: string; version: string }
  tags?: { name: string }[]
  paths: Record<string, Record<string, Described>>
  components?: { schemas?: Record<string, Schema> }
}

interface Described {
  operationId: string
  tags?: string[]
  summary?: string
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses?: Record<string, { description?: string; content?: Content }>
}

const firstOf = (content: Content = {}) => {
  const [type, described] = Object.entries(content)[0] ?? []
  return type === undefined ? null : { type, schema: described?.schema ?? {} }
}

function endpointOf(path: string, method: string, described: Described): Endpoint {
  const {
    operationId,
    tags = [],
    summary = '',
    security = [],
    parameters = [],
    requestBody,
    responses = {},
  } = described
  const body = firstOf(requestBody?.content)
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    tag: tags[0] ?? '',
    summary,
    scopes: security.find(({ key }) => key)?.key ?? null,
    byCookie: security.some(({ session }) => session),
    parameters,
    body: body && { ...body, required: requestBody?.required ?? false },
    answers: Object.entries(responses).map(([status, { description = '', content }]) => {
      const found = firstOf(content)
      return { status, description, type: found?.type ?? null, schema: found?.schema ?? null }
    }),
  }
}

export function readDocument(json: object): Api {
  const { info, tags = [], paths, components } = json as Document
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => endpointOf(path, method, described)),
  )
  const named = tags.map(({ name }) => name)
  return {
    title: info.title,
    version: info.version,
    tags: [...new Set([...named, ...endpoints.map(({ tag }) => tag)])],
    endpoints,
    schemas: components?.schemas ?? {},
  }
}

export const documentQuery = (reforge: Reforge) =>
  queryOptions({
    queryKey: ['document'],
    queryFn: async () => readDocument(await reforge.document()),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** What a reference points to. */
export const resolved = (schema: Schema, { schemas }: Pick<Api, 'schemas'>): Schema =>
  schema.$ref ? (schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}) : schema

/** The few values that are possible, where they are few. */
export function choicesOf(schema: Schema): string[] | null {
  if (schema.enum) return schema.enum.map(String)
  const constants = schema.anyOf?.filter((each) => each.const !== undefined).map((each) => String(each.const))
  return constants && constants.length > 1 && constants.length === schema.anyOf?.length ? constants : null
}

const typesOf = ({ type, anyOf = [] }: Schema): string[] => [type ?? [], anyOf.flatMap(typesOf)].flat()

export type FieldKind = 'choice' | 'boolean' | 'number' | 'text' | 'json'

/** How people enter it. */
export function kindOfField(schema: Schema): FieldKind {
  if (choicesOf(schema)) return 'choice'
  const types = typesOf(schema)
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('object') || types.includes('array')) return types.includes('string') ? 'text' : 'json'
  if (types.includes('number') || types.includes('integer')) return 'number'
  return types.includes('string') ? 'text' : 'json'
}

/** The type in words: `string`, `list of Job`. */
export function typeWords(schema: Schema): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const choices = choicesOf(schema)
  if (choices) return choices.join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeWords).join(' or ')
  if (schema.type === 'array') return `list of ${schema.items ? typeWords(schema.items) : 'anything'}`
  return [schema.type ?? 'anything'].flat().join(' or ')
}
