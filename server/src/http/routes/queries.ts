/** What can become what, and with which options. No key needed: a page may ask before anyone has signed in. */
import { type Static, Type } from 'typebox'
import type { Catalog } from '../../catalog/catalog.ts'
import type { OptionsDescription } from '../../catalog/describe.ts'
import { type Doing, OPERATIONS } from '../../catalog/engine.ts'
import { type Ext, extOf, formatOf } from '../../catalog/formats.ts'
import { type Issue, invalid } from '../../core/errors.ts'
import type { HttpDeps } from '../deps.ts'
import { type Route, route } from '../route.ts'
import { ref } from '../schemas.ts'

const FormatQuery = Type.Object({
  input_format: Type.Optional(
    Type.String({ maxLength: 100, description: 'List what this format can become; `*` for every format.' }),
  ),
  output_format: Type.Optional(
    Type.String({ maxLength: 100, description: 'List what can become this format; `*` for every format.' }),
  ),
})

const list = (exts: Iterable<Ext>) => ({
  formats: [...exts].map((ext) => {
    const { title, family, aliases } = formatOf(ext)
    return { ext, title, family, ...(aliases && { aliases }) }
  }),
})

function formatsOf(catalog: Catalog, does: Doing, query: { input_format?: string; output_format?: string }) {
  const { input_format: input, output_format: output } = query
  // "Only one of the two may be given at a time, not both."
  if (input !== undefined && output !== undefined)
    throw invalid([
      { path: 'input_format', message: 'cannot be given together with output_format; give one of the two.' },
      { path: 'output_format', message: 'cannot be given together with input_format; give one of the two.' },
    ])
  if (input !== undefined) {
    if (input === '*') return list(catalog.outputs(does))
    const from = extOf(input)
    return list(from ? catalog.outputs(does, from) : [])
  }
  if (output !== undefined && output !== '*') {
    const to = extOf(output)
    return list(to ? catalog.inputs(does, to) : [])
  }
  return list(catalog.inputs(does))
}

const OptionsQuery = Type.Object({
  input_format: Type.Optional(Type.String({ maxLength: 100, description: 'Format of the input.' })),
  output_format: Type.Optional(Type.String({ maxLength: 100, description: 'Format of the output.' })),
  engine: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The options when a task names this engine, such as one that recognises text; see `engines`.',
    }),
  ),
})

function optionsOf(catalog: Catalog, does: Doing, query: Static<typeof OptionsQuery>) {
  const issues: Issue[] = []
  const known = (name: 'input_format' | 'output_format', needed: boolean, possible: readonly Ext[]): Ext | null => {
    const given = query[name]
    if (given === undefined) {
      if (needed) issues.push({ path: name, message: `is required. Possible: ${possible.join(', ')}.` })
      return null
    }
    const ext = extOf(given)
    if (!ext || !possible.includes(ext))
      issues.push({ path: name, message: `"${given}" is not possible for ${does}. Possible: ${possible.join(', ')}.` })
    return ext
  }
  // "convert: both formats required; compress, crop, trim: `input_format` required; merge: `output_format` required."
  const from = known('input_format', does !== 'merge', catalog.inputs(does))
  const to = known('output_format', does === 'convert' || does === 'merge', catalog.outputs(does)) ?? from
  const { engine } = query
  const ids = catalog.engines.map(({ id }) => id)
  if (engine !== undefined && !ids.includes(engine))
    issues.push({ path: 'engine', message: `must be one of ${ids.join(', ')}.` })
  if (issues.length) throw invalid(issues)
  const described = to && catalog.describe(does, from, to, engine)
  if (!described) {
    const usual = to && catalog.describe(does, from, to)
    if (usual) throw invalid([{ path: 'engine', message: cannot(engine, does, usual.engines) }])
    const possible = from ? catalog.outputs(does, from) : []
    throw invalid([
      { path: 'output_format', message: `${from} cannot become ${to}. Possible: ${possible.join(', ')}.` },
    ])
  }
  return described
}

const cannot = (engine: string | undefined, does: Doing, able: OptionsDescription['engines']): string =>
  `${engine} cannot ${does} these formats. Possible: ${able.map(({ value }) => value).join(', ')}.`

export function queryRoutes({ catalog }: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/query/formats',
      tag: 'Formats',
      summary: 'All formats this installation can read or write.',
      access: 'open',
      cors: true,
      answer: { status: 200, schema: ref('FormatList') },
      handle: async () => list(catalog.formats()),
    }),
    ...OPERATIONS.map((does) =>
      route({
        method: 'GET',
        path: `/v1/query/formats/${does}`,
        tag: 'Formats',
        summary: `Formats for ${does}: what an input can become, or what can become an output.`,
        access: 'open',
        cors: true,
        query: FormatQuery,
        answer: { status: 200, schema: ref('FormatList') },
        handle: async ({ query }) => formatsOf(catalog, does, query),
      }),
    ),
    ...OPERATIONS.map((does) =>
      route({
        method: 'GET',
        path: `/v1/query/options/${does}`,
        tag: 'Formats',
        summary: `Advanced options of ${does} for a pair of formats.`,
        access: 'open',
        cors: true,
        query: OptionsQuery,
        answer: { status: 200, schema: ref('OptionDescriptor') },
        handle: async ({ query }) => optionsOf(catalog, does, query),
      }),
    ),
  ]
}
