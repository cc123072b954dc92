/** The API's shapes under short names. All derive from api.gen.ts; nothing is spelled here a second time. */
import type { components, paths } from './api.gen.ts'

type Schemas = components['schemas']
export type Task = Schemas['Task']
export type TaskResult = Schemas['TaskResult']
export type Job = Schemas['Job']
export type TaskPage = Schemas['TaskPage']
export type JobPage = Schemas['JobPage']
export type FormatList = Schemas['FormatList']
export type OptionDescriptor = Schemas['OptionDescriptor']
export type Account = Schemas['Account']
export type Key = Schemas['Key']
export type KeyList = Schemas['KeyList']
export type Usage = Schemas['Usage']
export type Plan = Schemas['Plan']
export type PlanList = Schemas['PlanList']
export type SystemOverview = Schemas['SystemOverview']
export type KeyWithSecret = Schemas['KeyWithSecret']
export type Webhook = Schemas['Webhook']
export type WebhookWithSecret = Schemas['WebhookWithSecret']
export type WebhookSecret = Schemas['WebhookSecret']
export type WebhookPage = Schemas['WebhookPage']
export type Delivery = Schemas['Delivery']
export type DeliveryWithLog = Schemas['DeliveryWithLog']
export type DeliveryPage = Schemas['DeliveryPage']
/** Who is signed in, and how one can. */
export interface Session {
  user: { id: string; email: string; role: Role; plan: string } | null
  firstStart: boolean
  guests: boolean
  oidc: { title: string } | null
}
export type SessionToken = Schemas['SessionToken']
export type Ticket = Schemas['Ticket']
export type TicketLink = Schemas['TicketLink']
export type User = Schemas['User']
export type Role = User['role']
export type InvitedUser = Schemas['InvitedUser']
export type UserPage = Schemas['UserPage']
export type AuditEntry = Schemas['AuditEntry']
export type AuditPage = Schemas['AuditPage']
export type ErrorBody = Schemas['Error']
/** A file that can be downloaded; what was exported to a storage has no `url`. */
export type ResultFile = NonNullable<TaskResult['files']>[number] & { url: string }

/** An operation without parameters. */
type Nothing = Record<never, never>
type Creates = { post: { responses: { 201: unknown } } }
type Body<P> = P extends { post: { requestBody?: infer R } }
  ? NonNullable<R> extends { content: { 'application/json': infer B } }
    ? string extends keyof B
      ? Nothing
      : B
    : Nothing
  : never

/** Every operation that has an endpoint: `import/url`, `convert`, `export/url` … */
export type Operation = {
  [P in keyof paths]: paths[P] extends Creates
    ? P extends `/v1/process/${infer Name}`
      ? Exclude<Name, 'jobs'>
      : never
    : never
}[keyof paths]

/** What the operation's own endpoint takes; `input` are ids of earlier tasks. */
export type TaskBody<O extends Operation> = Body<paths[`/v1/process/${O}`]>

/** A task inside a job; `input` are names in the same job, or ids. */
export type TaskDefinition = {
  [O in Operation]: { operation: O; input?: string | string[] } & Omit<TaskBody<O>, 'input'>
}[Operation]

export type JobBody = Omit<Body<paths['/v1/process/jobs']>, 'tasks'> & { tasks: Record<string, TaskDefinition> }

type Query<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } }
  ? NonNullable<Q>
  : never
export type JobsQuery = Query<'/v1/process/jobs'>
export type TasksQuery = Query<'/v1/process/tasks'>
export type TaskQuery = Query<'/v1/process/tasks/{taskId}'>

export type PageQuery = Query<'/v1/webhooks'>
export type UsersQuery = Query<'/v1/admin/users'>
export type AuditQuery = Query<'/v1/admin/audit'>
export type UserInvitation = Body<paths['/v1/admin/users']>
export type UserChange = Omit<Partial<UserInvitation>, 'email'> & { suspended?: boolean }
export type KeyBody = Body<paths['/v1/account/keys']>
export type KeyChange = Partial<Pick<KeyBody, 'name' | 'budget'>>
export type PlanBody = Body<paths['/v1/admin/plans']>
export type PlanChange = Omit<PlanBody, 'name'>
export type UsageQuery = Query<'/v1/account/usage'>
export type WebhookBody = Body<paths['/v1/webhooks']>
export type WebhookChange = Partial<WebhookBody> & { enabled?: boolean }

/** How an installation is. The contract describes it as any object, so it is spelled here. */
export interface Health {
  status: 'ok' | 'unsafe' | 'failing'
  version: string
  sandbox: { kind: string; warning?: string }
  engines: { id: string; title: string; ready: boolean; missing: { program: string; debian?: string }[] }[]
  disk: { free: number; total?: number; warning?: string } | null
  queue: Record<string, unknown>
  tasks: Record<string, unknown>
}

/** Operations whose formats and options can be asked for. */
export type Processing = { [P in keyof paths]: P extends `/v1/query/formats/${infer Name}` ? Name : never }[keyof paths]
export type FormatsQuery = Query<'/v1/query/formats/convert'>
export type OptionsQuery = Query<'/v1/query/options/convert'>

export type TaskEventType =
  `task_${'created' | 'started' | 'min_update' | 'completed' | 'failed' | 'canceled' | 'deleted'}`
export type JobEventType = `job_${'created' | 'started' | 'completed' | 'failed' | 'deleted'}`
export type ReforgeEvent = { type: TaskEventType; data: Task } | { type: JobEventType; data: Job }
