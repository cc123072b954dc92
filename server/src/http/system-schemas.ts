/** The shape of what operators see of the installation. */
import { Type } from 'typebox'
import { OPERATIONS } from '../catalog/engine.ts'
import { ROLES } from '../ports/nodes.ts'

const warning = Type.Optional(Type.String({ description: 'What to mind.' }))
const count = (description: string) => Type.Integer({ description })
const formatOrNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const engineIds = Type.Array(Type.String(), {
  description: `Engines on the usual way, first to last; empty unless it is one of ${OPERATIONS.join(', ')}.`,
})

const figures = {
  operation: Type.String(),
  engines: engineIds,
  tasks: count('That ended.'),
  failed: count('Of these.'),
}

const Node = Type.Object({
  id: Type.String(),
  name: Type.String({ description: 'Of the machine.' }),
  role: Type.Unsafe<string>({ type: 'string', enum: [...ROLES] }),
  version: Type.String(),
  engines: count('How many engines it has.'),
  capacity: Type.Record(Type.String(), Type.Integer(), { description: 'Tasks at a time, by lane.' }),
  startedAt: Type.String({ format: 'date-time' }),
  seenAt: Type.String({ format: 'date-time' }),
})

export const SystemOverview = Type.Object({
  status: Type.Unsafe<string>({ type: 'string', enum: ['ok', 'unsafe', 'failing'] }),
  version: Type.String(),
  startedAt: Type.String({ format: 'date-time' }),
  sandbox: Type.Object({ kind: Type.String({ description: '`none` when there is none.' }), warning }),
  engines: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      ready: Type.Boolean(),
      missing: Type.Array(Type.Object({ program: Type.String(), debian: Type.Optional(Type.String()) })),
    }),
  ),
  install: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The command that brings what is missing; null when nothing is, or no package has it.',
  }),
  disk: Type.Unsafe<unknown>({
    description: 'Where files are kept; null when that is a storage of somebody else.',
    anyOf: [Type.Object({ free: count('Bytes.'), total: count('Bytes.'), warning }), { type: 'null' }],
  }),
  queue: Type.Array(Type.Object({ lane: Type.String(), waiting: Type.Integer(), running: Type.Integer() })),
  nodes: Type.Array(Node, { description: 'The processes of the service.' }),
  tasks: Type.Record(Type.String(), Type.Integer(), { description: 'How many there are of each status.' }),
  lately: Type.Object(
    {
      since: Type.String({ format: 'date-time', description: 'The beginning of yesterday, UTC.' }),
      tasks: count('That ended.'),
      failed: count('Of these.'),
      failures: Type.Array(Type.Object(figures), { description: 'Where tasks failed, most first.' }),
      slowest: Type.Array(
        Type.Object({
          ...figures,
          from: formatOrNull('Format that was taken in.'),
          format: formatOrNull('Format that came out.'),
          seconds: Type.Number({ description: 'Of one conversion, on average.' }),
        }),
        { description: 'Conversions that took longest on average.' },
      ),
    },
    { description: 'Of all users and all machines.' },
  ),
})
