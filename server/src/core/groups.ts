/** What membership in a provider's groups gives: `staff=team,admins=admin:unlimited,*=basic`. The first match counts. */
const ROLES = ['admin', 'user'] as const

export interface GroupRule {
  /** `*` for everybody. */
  group: string
  role: (typeof ROLES)[number] | null
  plan: string | null
}

export function readGroups(text: string): GroupRule[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map(readRule)
}

function readRule(text: string): GroupRule {
  const at = text.lastIndexOf('=')
  const group = text.slice(0, at).trim()
  const [first = '', second, ...more] = text
    .slice(at + 1)
    .split(':')
    .map((part) => part.trim())
  const role = ROLES.find((name) => name === first) ?? null
  const plan = second ?? (role ? null : first)
  if (at < 1 || group === '' || more.length > 0 || plan === '' || (second !== undefined && !role))
    throw new Error(
      `must be a list such as staff=team,admins=admin:unlimited (a plan, a role, or role:plan); "${text}" is none`,
    )
  return { group, role, plan }
}

/** The role is the provider's to give wherever some rule names one: who has left the group has lost it. */
export function grantedBy(rules: readonly GroupRule[], groups: readonly string[]) {
  const mine = rules.filter(({ group }) => group === '*' || groups.includes(group))
  const role = mine.find((rule) => rule.role !== null)?.role
  const rulesRoles = rules.some((rule) => rule.role !== null)
  return {
    isMember: mine.length > 0,
    role: role ?? (rulesRoles ? ('user' as const) : null),
    plan: mine.find((rule) => rule.plan !== null)?.plan ?? null,
  }
}
