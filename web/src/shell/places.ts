/** Every page: its address, who may see it, where it stands in the navigation, and how its code is brought. */
import {
  IconApi,
  IconArrowsExchange,
  IconChartBar,
  IconCrop,
  IconCut,
  IconFileZip,
  IconHeartbeat,
  IconHistory,
  IconKey,
  IconListDetails,
  IconPackage,
  IconSettings,
  IconShare3,
  IconStack2,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import { type ComponentType, lazy } from 'react'
import type { Session } from '../session/session.tsx'
import type { Texts } from '../texts/texts.tsx'

export type Group = keyof Texts['shell']['groups']

export interface Place {
  id: keyof Texts['shell']['pages']
  /** A wouter pattern; a page with addresses below its own ends in `/*?` and looks at the rest itself. */
  pattern: string
  group: Group
  icon: ComponentType<{ size?: number | string; stroke?: number }>
  /** `anyone` includes guests who have not done anything yet. */
  for: 'anyone' | 'user' | 'admin'
  Page: ComponentType
}

/** A page's code is fetched when the page is first opened. */
const page = <N extends string>(load: () => Promise<Record<N, ComponentType>>, name: N) =>
  lazy(async () => ({ default: (await load())[name] }))

export const PLACES: readonly Place[] = [
  {
    id: 'convert',
    pattern: '/',
    group: 'tools',
    icon: IconArrowsExchange,
    for: 'anyone',
    Page: page(() => import('../pages/convert/page.tsx'), 'ConvertPage'),
  },
  {
    id: 'compress',
    pattern: '/compress',
    group: 'tools',
    icon: IconFileZip,
    for: 'anyone',
    Page: page(() => import('../pages/convert/page.tsx'), 'CompressPage'),
  },
  {
    id: 'merge',
    pattern: '/merge',
    group: 'tools',
    icon: IconStack2,
    for: 'anyone',
    Page: page(() => import('../pages/merge/page.tsx'), 'MergePage'),
  },
  {
    id: 'crop',
    pattern: '/crop',
    group: 'tools',
    icon: IconCrop,
    for: 'anyone',
    Page: page(() => import('../pages/crop/page.tsx'), 'CropPage'),
  },
  {
    id: 'trim',
    pattern: '/trim',
    group: 'tools',
    icon: IconCut,
    for: 'anyone',
    Page: page(() => import('../pages/trim/page.tsx'), 'TrimPage'),
  },
  {
    id: 'jobs',
    pattern: '/jobs/*?',
    group: 'work',
    icon: IconListDetails,
    for: 'user',
    Page: page(() => import('../pages/jobs/page.tsx'), 'JobsPage'),
  },
  {
    id: 'builder',
    pattern: '/builder/*?',
    group: 'work',
    icon: IconShare3,
    for: 'user',
    Page: page(() => import('../pages/builder/page.tsx'), 'BuilderPage'),
  },
  {
    id: 'keys',
    pattern: '/keys',
    group: 'account',
    icon: IconKey,
    for: 'user',
    Page: page(() => import('../pages/keys/page.tsx'), 'KeysPage'),
  },
  {
    id: 'webhooks',
    pattern: '/webhooks/*?',
    group: 'account',
    icon: IconWebhook,
    for: 'user',
    Page: page(() => import('../pages/webhooks/page.tsx'), 'WebhooksPage'),
  },
  {
    id: 'usage',
    pattern: '/usage',
    group: 'account',
    icon: IconChartBar,
    for: 'user',
    Page: page(() => import('../pages/usage/page.tsx'), 'UsagePage'),
  },
  {
    id: 'settings',
    pattern: '/settings',
    group: 'account',
    icon: IconSettings,
    for: 'user',
    Page: page(() => import('../pages/settings/page.tsx'), 'SettingsPage'),
  },
  {
    id: 'users',
    pattern: '/users/*?',
    group: 'admin',
    icon: IconUsers,
    for: 'admin',
    Page: page(() => import('../pages/users/page.tsx'), 'UsersPage'),
  },
  {
    id: 'plans',
    pattern: '/plans',
    group: 'admin',
    icon: IconPackage,
    for: 'admin',
    Page: page(() => import('../pages/plans/page.tsx'), 'PlansPage'),
  },
  {
    id: 'system',
    pattern: '/system',
    group: 'admin',
    icon: IconHeartbeat,
    for: 'admin',
    Page: page(() => import('../pages/system/page.tsx'), 'SystemPage'),
  },
  {
    id: 'audit',
    pattern: '/audit/*?',
    group: 'admin',
    icon: IconHistory,
    for: 'admin',
    Page: page(() => import('../pages/audit/page.tsx'), 'AuditPage'),
  },
  {
    id: 'reference',
    pattern: '/reference/*?',
    group: 'help',
    icon: IconApi,
    for: 'anyone',
    Page: page(() => import('../pages/reference/page.tsx'), 'ReferencePage'),
  },
]

/** The address to link to. */
export const hrefOf = ({ pattern }: Place): string => pattern.replace('/*?', '')

export function mayVisit({ for: audience }: Place, { user, guests }: Pick<Session, 'user' | 'guests'>): boolean {
  if (audience === 'admin') return user?.role === 'admin'
  if (audience === 'user') return user !== null && user.role !== 'guest'
  return user !== null || guests
}
