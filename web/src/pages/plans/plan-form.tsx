/** Asks for the limits of a plan, each with its unit; empty is no limit. */
import { Button, Fieldset, Group, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { Plan, PlanBody } from '@reforge/sdk'
import { type FormEvent, useState } from 'react'
import { ErrorBox } from '../../components/error-box.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { GROUPS, isWhole, LIMITS, type Limit, MOST, shownIn, takenFrom } from './limits.ts'

interface PlanFormProps {
  known?: Plan | undefined
  pending: boolean
  error: unknown
  onCancel: () => void
  onWish: (wish: PlanBody) => void
}

export function PlanForm({ known, pending, error, onCancel, onWish }: PlanFormProps) {
  const { plans: texts, shared } = useTexts()
  const [name, setName] = useState(known?.name ?? '')
  const [values, setValues] = useState<Partial<Record<Limit, number | string>>>(() =>
    Object.fromEntries(LIMITS.map((limit) => [limit, shownIn(limit, known?.[limit] ?? null)])),
  )
  const [tried, setTried] = useState(false)
  const bad = !/^[a-z0-9][a-z0-9-]{0,49}$/.test(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (bad) return
    onWish({ name, ...Object.fromEntries(LIMITS.map((limit) => [limit, takenFrom(limit, values[limit] ?? '')])) })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {!known && (
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            value={name}
            error={tried && bad && texts.nameBad}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            data-autofocus
          />
        )}
        <Text size="sm" c="dimmed">
          {texts.empty}
        </Text>
        {(Object.keys(GROUPS) as (keyof typeof GROUPS)[]).map((group) => (
          <Fieldset key={group} legend={texts.groups[group]}>
            <SimpleGrid cols={{ base: 1, sm: GROUPS[group].length }}>
              {GROUPS[group].map((limit) => (
                <NumberInput
                  key={limit}
                  label={texts.limits[limit].name}
                  description={texts.limits[limit].hint}
                  placeholder={MOST[limit] ? texts.most(MOST[limit], texts.limits[limit].unit) : texts.unlimited}
                  suffix={texts.limits[limit].unit && ` ${texts.limits[limit].unit}`}
                  thousandSeparator=","
                  allowNegative={false}
                  allowDecimal={!isWhole(limit)}
                  min={0}
                  {...(MOST[limit] && { max: MOST[limit] })}
                  hideControls
                  value={values[limit] ?? ''}
                  onChange={(value) => setValues({ ...values, [limit]: value })}
                />
              ))}
            </SimpleGrid>
          </Fieldset>
        ))}
        {error !== null && <ErrorBox error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {shared.cancel}
          </Button>
          <Button type="submit" loading={pending}>
            {known ? shared.save : texts.create}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
