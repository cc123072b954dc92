/** Narrows the audit log down: to a user, to an action or a family of actions. */
import { Group, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'

export interface Filter {
  user: string | null
  action: string | null
}

interface FiltersProps {
  filter: Filter
  onChange: (filter: Filter) => void
}

export function Filters({ filter, onChange }: FiltersProps) {
  const { audit: texts } = useTexts()
  const families = Object.entries(texts.families).map(([family, group]) => ({
    group,
    items: [
      { value: family, label: texts.all(group) },
      ...Object.entries(texts.actions)
        .filter(([action]) => action.startsWith(`${family}.`))
        .map(([value, label]) => ({ value, label })),
    ],
  }))
  return (
    <Group gap="sm">
      <UserFilter user={filter.user} onChange={(user) => onChange({ ...filter, user })} />
      <Select
        w={{ base: '100%', xs: 240 }}
        aria-label={texts.action}
        placeholder={texts.everything}
        clearable
        value={filter.action}
        onChange={(action) => onChange({ ...filter, action })}
        data={families}
      />
    </Group>
  )
}

function UserFilter({ user, onChange }: { user: string | null; onChange: (user: string | null) => void }) {
  const { audit: texts } = useTexts()
  const reforge = useReforge()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const { data: found } = useQuery({
    queryKey: ['users', 'named', search],
    queryFn: async () => (await reforge.admin.users.list({ per_page: 20, ...(search && { search }) })).docs,
    placeholderData: (before) => before,
  })
  // Who is chosen may be none of those, or gone.
  const { data: chosen } = useQuery({
    queryKey: ['users', 'one', user],
    queryFn: () => (user === null ? null : reforge.admin.users.get(user).catch(() => null)),
  })
  const known = new Map((found ?? []).map(({ id, email }) => [id, email]))
  if (user !== null && !known.has(user)) known.set(user, chosen?.email ?? user)
  return (
    <Select
      w={{ base: '100%', xs: 280 }}
      aria-label={texts.user}
      placeholder={texts.userHint}
      searchable
      clearable
      nothingFoundMessage={texts.userNone}
      value={user}
      onChange={onChange}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      data={[...known].map(([value, label]) => ({ value, label }))}
    />
  )
}
