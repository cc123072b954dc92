/** The shapes of answers, as the documentation and the SDK's types show them. */
import { type TSchema, Type } from 'typebox'
import { JOB_ERRORS, TASK_ERRORS } from '../core/errors.ts'
import { JOB_STATUSES, TASK_STATUSES } from '../core/task.ts'
import { TEST_EVENT, WEBHOOK_EVENTS } from '../core/webhook.ts'
import { ROLES, SCOPES } from '../ports/accounts.ts'
import { ACTIONS } from '../ports/audit.ts'
import { TICKETS } from '../ports/credentials.ts'
import { DELIVERY_STATUSES } from '../ports/webhooks.ts'
import { accountLimits, BudgetUsed, Plan, Usage } from './metering-schemas.ts'
import { SystemOverview } from './system-schemas.ts'

const oneOf = <const T extends readonly string[]>(values: T, description?: string) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...(description && { description }) })

const time = (description: string) => Type.String({ format: 'date-time', description })
const timeOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })
const id = (description: string) => Type.String({ pattern: '^[0-9a-f]{24}$', description })

const File = Type.Object({
  url: Type.Optional(
    Type.String({
      description:
        'Downloads the file without a key until the task expires. Not there for what an export wrote to a storage: then the place in it is told (`bucket` and `key`, `container` and `blob`, …).',
    }),
  ),
  filename: Type.String(),
  size: Type.Integer({ description: 'Bytes.' }),
  format: Type.String({ description: 'Found from the content.' }),
})

const TaskResult = Type.Object(
  {
    url: Type.Optional(Type.String({ description: 'The first file, or the ZIP.' })),
    filename: Type.Optional(Type.String()),
    size: Type.Optional(Type.Integer()),
    format: Type.Optional(Type.String()),
    files: Type.Optional(Type.Array(File)),
    form: Type.Optional(
      Type.Object({
        url: Type.String({ description: 'Address to post the file to, as multipart/form-data.' }),
        parameters: Type.Record(Type.String(), Type.String(), {
          description: 'Form fields to send before the file. Do not hard-code them.',
        }),
        resumable: Type.String({ description: 'Address for a resumable upload by tus 1.0.' }),
        direct: Type.Optional(
          Type.String({
            description: 'Where to ask for a way straight to the storage; not every installation has one.',
          }),
        ),
      }),
    ),
    options: Type.Optional(
      Type.Object({
        applied: Type.Record(Type.String(), Type.Unknown()),
        ignored: Type.Array(Type.Object({ name: Type.String(), reason: Type.String() })),
      }),
    ),
    errorCode: Type.Optional(oneOf(Object.keys(TASK_ERRORS))),
    msg: Type.Optional(Type.String({ description: 'What went wrong, in words.' })),
  },
  { additionalProperties: true },
)

const Warning = Type.Object({ path: Type.String(), message: Type.String() })

const Task = Type.Object({
  id: id('Task id.'),
  name: Type.String({ description: "The task's key in its job; outside a job its operation." }),
  operation: Type.String(),
  status: oneOf(TASK_STATUSES),
  percent: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'While processing, when known.' })),
  ahead: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Tasks before it in the line, while it waits for a worker. Where one is shown.',
    }),
  ),
  payload: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'As sent, secrets masked.' })),
  dependsOn: Type.Array(Type.String()),
  job: Type.Unsafe<unknown>({
    description: 'Id of its job, or null; the job itself with include=job.',
    anyOf: [{ type: 'string' }, { type: 'null' }, { $ref: '#/components/schemas/Job' }],
  }),
  user: id('Owner.'),
  result: ref('TaskResult'),
  createdAt: time('Created.'),
  startedAt: timeOrNull('Started.'),
  endedAt: timeOrNull('Ended; null while it runs.'),
  updatedAt: time('Last change.'),
  expiresAt: time('When its files go.'),
  warnings: Type.Optional(Type.Array(Warning, { description: 'Fields of the request that were ignored.' })),
})

const Job = Type.Object({
  id: id('Job id.'),
  tag: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  status: oneOf(JOB_STATUSES),
  user: id('Owner.'),
  tasks: Type.Optional(Type.Array(ref('Task'))),
  result: Type.Object(
    { errorCode: Type.Optional(oneOf(Object.keys(JOB_ERRORS))), msg: Type.Optional(Type.String()) },
    { description: 'Empty unless the job failed.' },
  ),
  createdAt: time('Created.'),
  startedAt: timeOrNull('Started.'),
  endedAt: timeOrNull('Ended.'),
  updatedAt: time('Last change.'),
  expiresAt: time('When its record goes.'),
  links: Type.Object({ self: Type.String() }),
  warnings: Type.Optional(Type.Array(Warning)),
})

const page = (of: string) =>
  Type.Object({
    docs: Type.Array(ref(of)),
    totalDocs: Type.Integer(),
    limit: Type.Integer(),
    totalPages: Type.Integer(),
    page: Type.Integer(),
    pagingCounter: Type.Integer(),
    hasPrevPage: Type.Boolean(),
    hasNextPage: Type.Boolean(),
    prevPage: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    nextPage: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  })

const FormatList = Type.Object({
  formats: Type.Array(
    Type.Object({
      ext: Type.String({ description: 'Extension, without a dot.' }),
      title: Type.String({ description: 'Its name in words.' }),
      family: Type.String({ description: '`image`, `video`, `audio`, `document` …' }),
      aliases: Type.Optional(Type.Array(Type.String(), { description: 'Further extensions of the same format.' })),
    }),
  ),
})

const OptionDescriptor = Type.Object({
  sourceExt: Type.String(),
  targetExt: Type.String(),
  operation: Type.String(),
  options: Type.Array(
    Type.Object({
      name: Type.String({ description: "Name to put in the task's `options`." }),
      label: Type.Optional(Type.String()),
      hint: Type.String(),
      data_type: Type.String(),
      default_value: Type.String({ description: 'Used when the option is omitted; empty when there is none.' }),
      type: Type.String({ description: '`enum` when only listed values are accepted.' }),
      enum_values: Type.Optional(
        Type.Array(Type.Object({ value: Type.String(), hint: Type.String(), label: Type.Optional(Type.String()) })),
      ),
      units: Type.Optional(Type.String()),
      min: Type.Optional(Type.Number()),
      max: Type.Optional(Type.Number()),
      inputs: Type.Optional(
        Type.Integer({ description: 'How many inputs a task must have that uses it; any number where it is missing.' }),
      ),
      conditions: Type.Array(
        Type.Object({
          name: Type.String(),
          required: Type.Boolean(),
          meta: Type.Array(Type.Object({ value: Type.String(), label: Type.String() })),
        }),
      ),
    }),
  ),
  engines: Type.Array(Type.Object({ value: Type.String(), label: Type.String() }), {
    description:
      'Engines that a task for these formats may name in `engine`, the usual one first. Ask again with `engine` for the options of another.',
  }),
})

const ErrorBody = Type.Object({
  code: Type.String(),
  message: Type.String(),
  errors: Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
    description: 'Every problem of the request with the field it is in.',
  }),
  errorCode: Type.Optional(oneOf(Object.keys(TASK_ERRORS))),
  requestId: Type.String(),
})

const Account = Type.Object({
  id: id('User id.'),
  email: Type.String(),
  role: oneOf(ROLES),
  ...accountLimits,
})

const role = oneOf(ROLES)
const textOrNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description })

const Session = Type.Object({
  user: Type.Unsafe<unknown>({
    description: 'Who is signed in, or null.',
    anyOf: [
      Type.Object({ id: id('User id.'), email: Type.String(), role, plan: Type.String({ description: 'Its name.' }) }),
      { type: 'null' },
    ],
  }),
  firstStart: Type.Boolean({ description: 'Whether no administrator can sign in yet.' }),
  guests: Type.Boolean({ description: 'Whether one may come in without an account.' }),
  oidc: Type.Unsafe<unknown>({
    description: 'The provider one can sign in with, or null: GET /session/oidc.',
    anyOf: [Type.Object({ title: Type.String() }), { type: 'null' }],
  }),
})

const user = {
  id: id('User id.'),
  email: Type.String(),
  role,
  plan: Type.String({ description: 'Name of the plan.' }),
  hasPassword: Type.Boolean({ description: 'False of one who was invited and has not come, or comes by a provider.' }),
  createdAt: time('Invited or made.'),
  seenAt: timeOrNull('When a session of theirs was last used, to the minute.'),
  suspendedAt: timeOrNull('Since when nothing of theirs is let in.'),
}
const TicketLink = Type.Object({
  url: Type.String({ description: 'To hand over by a way you trust. It works once.' }),
  expiresAt: time('When it stops working.'),
})

const AuditEntry = Type.Object({
  id: id('Entry id.'),
  at: time('When.'),
  by: Type.Object({
    user: textOrNull('Id of the user; null when nobody was recognised.'),
    email: textOrNull('As it was then; of a sign-in that failed, as typed.'),
    via: oneOf(['key', 'session', 'server', 'none']),
    id: textOrNull('Id of the key or session.'),
  }),
  address: textOrNull('Where the request came from.'),
  action: oneOf(ACTIONS),
  target: textOrNull('What it was done to, such as `user:{id}`.'),
  detail: Type.Record(Type.String(), Type.Unknown()),
})

const key = {
  id: id('Key id.'),
  name: Type.String(),
  scopes: Type.Array(oneOf(SCOPES)),
  current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
  createdAt: time('Made.'),
  lastUsedAt: timeOrNull('Last use, to the minute.'),
  budget: BudgetUsed,
}

const webhook = {
  id: id('Webhook id.'),
  url: Type.String(),
  events: Type.Array(oneOf(WEBHOOK_EVENTS)),
  enabled: Type.Boolean(),
  reason: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Why the service switched it off.' }),
  createdAt: time('Created.'),
  updatedAt: time('Last change.'),
}
const secret = Type.String({ description: 'Signs every delivery: Standard Webhooks.' })

const delivery = {
  id: id('Also the `webhook-id` header, the same on every attempt.'),
  webhook: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'null for the webhook_url of a job.' }),
  url: Type.String(),
  event: oneOf([...WEBHOOK_EVENTS, TEST_EVENT]),
  job: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  status: oneOf(DELIVERY_STATUSES),
  attempts: Type.Integer(),
  nextAttemptAt: timeOrNull('When it is tried again.'),
  createdAt: time('Created.'),
}
const Attempt = Type.Object({
  at: time('When it was sent.'),
  milliseconds: Type.Integer(),
  status: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'null when no answer came.' }),
  answer: Type.String({ description: 'How the answer began, or why there was none.' }),
})

export const COMPONENTS = {
  Task,
  TaskResult,
  Job,
  TaskPage: page('Task'),
  JobPage: page('Job'),
  FormatList,
  OptionDescriptor,
  Error: ErrorBody,
  Account,
  Usage,
  Plan,
  PlanList: Type.Object({ plans: Type.Array(ref('Plan')) }),
  Key: Type.Object(key),
  Session,
  SessionToken: Type.Object({ token: Type.String(), expiresAt: time('When to ask for another one.') }),
  Ticket: Type.Object({
    kind: oneOf(TICKETS),
    email: textOrNull('Whose it is; null on the first start.'),
    expiresAt: time('When it stops working.'),
  }),
  TicketLink,
  User: Type.Object(user),
  InvitedUser: Type.Object({ ...user, invitation: ref('TicketLink') }),
  UserPage: page('User'),
  AuditEntry,
  AuditPage: page('AuditEntry'),
  SystemOverview,
  KeyList: Type.Object({ keys: Type.Array(Type.Object(key)) }),
  KeyWithSecret: Type.Object({ ...key, key: Type.String({ description: 'The key itself; keep it.' }) }),
  Webhook: Type.Object(webhook),
  WebhookWithSecret: Type.Object({ ...webhook, secret }),
  WebhookSecret: Type.Object({ secret }),
  WebhookPage: page('Webhook'),
  Delivery: Type.Object(delivery),
  DeliveryWithLog: Type.Object({ ...delivery, log: Type.Array(Attempt) }),
  DeliveryPage: page('Delivery'),
} satisfies Record<string, TSchema>

export function ref(name: string): TSchema {
  return Type.Unsafe<unknown>({ $ref: `#/components/schemas/${name}` })
}
