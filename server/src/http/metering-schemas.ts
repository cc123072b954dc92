/** The shapes of plans, minutes, budgets and usage, as answers show them and requests set them. */
import { Type } from 'typebox'
import { PERIODS, type Plan as PlanRecord } from '../core/quota.ts'
import { USAGE_FIELDS } from '../ports/metering.ts'

const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] })
const numberOrNull = (description: string) => Type.Unsafe<number | null>({ type: ['number', 'null'], description })
const textOrNull = (description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], description }))
const resetsAt = Type.String({ format: 'date-time', description: 'When the count starts again.' })

const minutes = {
  used: Type.Number({ description: 'What runs now counts as far as it has come.' }),
  limit: numberOrNull('null when unlimited.'),
  left: numberOrNull('null when unlimited.'),
  resetsAt,
}

/** Of the caller's account, besides who it is. */
export const accountLimits = {
  plan: Type.Object({ name: Type.String() }),
  minutes: Type.Object(
    {
      ...minutes,
      day: Type.Object(minutes),
      month: Type.Object(minutes),
      perTask: numberOrNull('What one task may use; null when unlimited.'),
    },
    { description: 'Of the day or of the month, whichever ends first, and of both.' },
  ),
  limits: Type.Object({
    maxFileSize: Type.Integer({ description: 'Bytes.' }),
    concurrency: Type.Integer({ description: 'Tasks at a time.' }),
    ratePerMinute: Type.Integer({ description: 'Requests a minute of one key; 0 when there is no limit.' }),
  }),
  retention: Type.Object({ filesHours: Type.Number(), recordsHours: Type.Number() }),
}

interface Bounds {
  whole?: true
  minimum: number
  maximum: number
  description: string
}

/** What a plan may set. */
export const PLAN_LIMITS: Record<keyof Omit<PlanRecord, 'name'>, Bounds> = {
  minutesPerDay: { minimum: 0, maximum: 1e6, description: 'Conversion minutes a day, from midnight UTC.' },
  minutesPerMonth: { minimum: 0, maximum: 1e8, description: 'Conversion minutes a month, UTC.' },
  minutesPerTask: { minimum: 0, maximum: 1e6, description: 'Conversion minutes that one task may use.' },
  concurrency: { whole: true, minimum: 1, maximum: 10_000, description: 'Tasks that run at once.' },
  maxFileSize: { whole: true, minimum: 1, maximum: 2 ** 50, description: 'Bytes of the largest file.' },
  ratePerMinute: { whole: true, minimum: 1, maximum: 10_000_000, description: 'Requests a minute of each key.' },
  filesHours: { minimum: 0.01, maximum: 4, description: 'Hours that files are kept.' },
  recordsHours: { minimum: 0.01, maximum: 24, description: 'Hours that records are kept.' },
}

const limitOrNull = ({ whole, description, ...bounds }: Bounds) =>
  Type.Unsafe<number | null>({
    type: [whole ? 'integer' : 'number', 'null'],
    ...bounds,
    description: `${description} null for no limit.`,
  })

const planLimits = Object.fromEntries(Object.entries(PLAN_LIMITS).map(([name, bounds]) => [name, limitOrNull(bounds)]))
/** The same, for a request that may leave any of them out. */
export const givenLimits = Object.fromEntries(
  Object.entries(planLimits).map(([name, schema]) => [name, Type.Optional(schema)]),
)

export const Plan = Type.Object({
  name: Type.String(),
  ...planLimits,
  users: Type.Integer({ description: 'How many have it.' }),
  builtIn: Type.Boolean({ description: 'It cannot be deleted.' }),
})

/** As it is set. */
export const Budget = Type.Object({
  minutes: Type.Number({ minimum: 0, maximum: 1e8, description: 'Conversion minutes.' }),
  per: Type.Enum([...PERIODS], { description: 'A day or a month, UTC.' }),
})
export const BudgetOrNull = Type.Unsafe<{ minutes: number; per: 'day' | 'month' } | null>({
  description: 'What the key may use of the minutes of the account; null for all of them.',
  anyOf: [Budget, { type: 'null' }],
})
/** As it is shown. */
export const BudgetUsed = Type.Unsafe<unknown>({
  description: 'What the key may use of the minutes of the account, and has used; null for all of them.',
  anyOf: [Type.Object({ ...Budget.properties, used: Type.Number(), resetsAt }), { type: 'null' }],
})

const sums = {
  tasks: Type.Integer({ description: 'That ended.' }),
  failed: Type.Integer(),
  seconds: Type.Number({ description: 'Of conversion, as metered.' }),
  bytesIn: Type.Integer({ description: 'Of the files that tasks took in.' }),
  bytesOut: Type.Integer({ description: 'Of the files that tasks made.' }),
}

export const Usage = Type.Object({
  from: Type.String({ format: 'date', description: 'First day.' }),
  to: Type.String({ format: 'date', description: 'Last day.' }),
  by: Type.Array(oneOf(USAGE_FIELDS)),
  rows: Type.Array(
    Type.Object({
      day: Type.Optional(Type.String({ format: 'date' })),
      operation: textOrNull('null for what was counted before operations were.'),
      from: textOrNull('Format that was taken in.'),
      format: textOrNull('Format that came out, or was asked for.'),
      key: textOrNull('Id of the key; null when it was none.'),
      keyName: textOrNull('null when there is no such key any more.'),
      ...sums,
    }),
  ),
  total: Type.Object(sums),
})
