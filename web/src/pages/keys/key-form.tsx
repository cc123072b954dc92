/** Asks for what a key is to be: its name, what it may do, its budget. A key that exists keeps what it may do. */
import { Button, Checkbox, Group, Input, NumberInput, SegmentedControl, Stack, TextInput } from '@mantine/core'
import type { Key, KeyBody } from '@reforge/sdk'
import { type FormEvent, useId, useState } from 'react'
import { ErrorBox } from '../../components/error-box.tsx'
import { useTexts } from '../../texts/texts.tsx'

type Scope = Key['scopes'][number]
export const SCOPES = ['tasks:read', 'tasks:write', 'webhooks', 'account'] as const satisfies readonly Scope[]
const PERIODS = ['none', 'day', 'month'] as const

export interface KeyWish {
  name: string
  scopes: Scope[]
  budget: NonNullable<KeyBody['budget']> | null
}

interface KeyFormProps {
  /** The one to change. */
  known?: Key | undefined
  pending: boolean
  error: unknown
  onCancel: () => void
  onWish: (wish: KeyWish) => void
}

export function KeyForm({ known, pending, error, onCancel, onWish }: KeyFormProps) {
  const { keys: texts, shared } = useTexts()
  const [name, setName] = useState(known?.name ?? '')
  const [scopes, setScopes] = useState<Scope[]>(known?.scopes ?? ['tasks:read', 'tasks:write'])
  const [per, setPer] = useState<(typeof PERIODS)[number]>(known?.budget?.per ?? 'none')
  const [minutes, setMinutes] = useState<number | string>(known?.budget?.minutes ?? 60)
  const [tried, setTried] = useState(false)
  const budgetLabel = useId()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (name.trim() === '' || scopes.length === 0) return
    onWish({ name: name.trim(), scopes, budget: per === 'none' ? null : { minutes: Number(minutes) || 0, per } })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={texts.form.name}
          description={texts.form.nameHint}
          placeholder={texts.form.namePlaceholder}
          value={name}
          maxLength={100}
          error={tried && name.trim() === '' && texts.form.nameMissing}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          data-autofocus
        />
        {!known && (
          <Checkbox.Group
            label={texts.form.scopes}
            value={scopes}
            onChange={(chosen) => setScopes(SCOPES.filter((scope) => chosen.includes(scope)))}
            error={tried && scopes.length === 0 && texts.form.scopesMissing}
          >
            <Stack gap="xs" mt={6}>
              {SCOPES.map((scope) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  label={texts.scopes[scope].name}
                  description={texts.scopes[scope].hint}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        <Input.Wrapper label={texts.budget.label} description={texts.budget.hint} labelElement="div" id={budgetLabel}>
          <Group mt={6} align="flex-end">
            <SegmentedControl
              aria-label={texts.budget.label}
              value={per}
              onChange={(value) => setPer(PERIODS.find((each) => each === value) ?? 'none')}
              data={PERIODS.map((each) => ({ value: each, label: texts.budget[each] }))}
            />
            {per !== 'none' && (
              <NumberInput
                aria-label={texts.budget.minutes}
                suffix=" min"
                min={0}
                max={1e8}
                w={130}
                value={minutes}
                onChange={setMinutes}
              />
            )}
          </Group>
        </Input.Wrapper>
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
