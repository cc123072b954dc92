/** Asks who to invite, or what somebody is to become: role and plan. */
import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import type { User } from '@reforge/sdk'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ErrorBox } from '../../components/error-box.tsx'
import { plansQuery } from '../../data/queries.ts'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'

export interface UserWish {
  email: string
  role: 'admin' | 'user'
  plan: string
}

interface UserFormProps {
  /** The one to change. */
  known?: User | undefined
  pending: boolean
  error: unknown
  onCancel: () => void
  onWish: (wish: UserWish) => void
}

const ROLES = ['user', 'admin'] as const

export function UserForm({ known, pending, error, onCancel, onWish }: UserFormProps) {
  const { users: texts, shared } = useTexts()
  const { data: plans } = useQuery(plansQuery(useReforge()))
  const [email, setEmail] = useState(known?.email ?? '')
  const [role, setRole] = useState<(typeof ROLES)[number]>(known?.role === 'admin' ? 'admin' : 'user')
  const [plan, setPlan] = useState(known?.plan ?? 'unlimited')
  const [tried, setTried] = useState(false)
  const bad = !/^[^\s@]+@[^\s@]+$/.test(email.trim())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!bad) onWish({ email: email.trim(), role, plan })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {!known && (
          <TextInput
            label={texts.form.email}
            description={texts.form.emailHint}
            type="email"
            autoComplete="off"
            value={email}
            error={tried && bad && texts.form.emailBad}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            data-autofocus
          />
        )}
        <Select
          label={texts.form.role}
          description={texts.form.roleHint}
          allowDeselect={false}
          value={role}
          onChange={(value) => setRole(ROLES.find((each) => each === value) ?? 'user')}
          data={ROLES.map((value) => ({ value, label: texts.roles[value] }))}
        />
        <Select
          label={texts.form.plan}
          description={texts.form.planHint}
          allowDeselect={false}
          value={plan}
          onChange={(value) => value && setPlan(value)}
          data={plans?.map(({ name }) => name) ?? [plan]}
        />
        {error !== null && <ErrorBox error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {shared.cancel}
          </Button>
          <Button type="submit" loading={pending}>
            {known ? shared.save : texts.form.create}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
