/** What administrators do: users, plans, the audit log, a look at the installation. One endpoint a line. */
import type { Http } from './http.ts'
import type {
  AuditPage,
  AuditQuery,
  InvitedUser,
  Plan,
  PlanBody,
  PlanChange,
  PlanList,
  SystemOverview,
  TicketLink,
  User,
  UserChange,
  UserInvitation,
  UserPage,
  UsersQuery,
} from './schema.ts'

const USERS = '/v1/admin/users'
const PLANS = '/v1/admin/plans'
const below = (base: string, id: string): string => `${base}/${encodeURIComponent(id)}`

export const createAdmin = (http: Http) => ({
  users: {
    list: (query: UsersQuery = {}) => http.call<UserPage>('GET', USERS, { query }),
    get: (id: string) => http.call<User>('GET', below(USERS, id)),
    /** The link by which they set a password is in this answer only. */
    invite: (body: UserInvitation) => http.call<InvitedUser>('POST', USERS, { body }),
    update: (id: string, body: UserChange) => http.call<User>('PATCH', below(USERS, id), { body }),
    /** A link to set another password. */
    reset: (id: string) => http.call<TicketLink>('POST', `${below(USERS, id)}/reset`),
    /** With their files, records, keys and webhooks. */
    delete: (id: string) => http.call<void>('DELETE', below(USERS, id), { removes: true }),
  },
  plans: {
    list: async () => (await http.call<PlanList>('GET', PLANS)).plans,
    create: (body: PlanBody) => http.call<Plan>('POST', PLANS, { body }),
    /** null takes a limit away. */
    update: (name: string, body: PlanChange) => http.call<Plan>('PATCH', below(PLANS, name), { body }),
    /** Only one that nobody has. */
    delete: (name: string) => http.call<void>('DELETE', below(PLANS, name), { removes: true }),
  },
  system: () => http.call<SystemOverview>('GET', '/v1/admin/system'),
  audit: (query: AuditQuery = {}) => http.call<AuditPage>('GET', '/v1/admin/audit', { query }),
})
