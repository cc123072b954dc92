/** A form made of the options query: the few that matter first, all others behind "more", conditions respected. */
import { Button, Group, Select, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import type { OptionDescriptor, OptionsQuery, Processing } from '@reforge/sdk'
import { IconAdjustments, IconRestore } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorBox } from '../components/error-box.tsx'
import { optionsQuery } from '../data/queries.ts'
import { useReforge } from '../session/session.tsx'
import { useTexts } from '../texts/texts.tsx'
import { effectiveFields, firstOf, type OptionField, type Values } from './conditions.ts'
import { Field } from './field.tsx'

export interface Settings {
  values: Values
  /** Undefined: the usual one. */
  engine?: string | undefined
}

interface SettingsFormProps {
  operation: Processing
  query: OptionsQuery
  settings: Settings
  onChange: (settings: Settings) => void
  /** Options that the page has a better control for: where to cut, say. */
  without?: readonly string[]
  /** The task may have several inputs; else what needs two is not offered. */
  several?: boolean
  columns?: number
}

/** The options of a pair of formats, with the engine that was chosen. */
export function useOptions(operation: Processing, query: OptionsQuery, engine?: string) {
  const reforge = useReforge()
  return useQuery(optionsQuery(reforge, operation, { ...query, ...(engine && { engine }) }))
}

export function SettingsForm(props: SettingsFormProps) {
  const { operation, query, settings } = props
  const { data, error, refetch } = useOptions(operation, query, settings.engine)
  if (error) return <ErrorBox error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={120} />
  return <Fields {...props} descriptor={data} />
}

function Fields({
  descriptor,
  settings,
  onChange,
  without = [],
  several = false,
  columns = 3,
}: SettingsFormProps & { descriptor: OptionDescriptor }) {
  const { settings: texts } = useTexts().shared
  const [open, setOpen] = useState(false)
  const { values } = settings
  const all = descriptor.options.filter(({ name, inputs }) => !without.includes(name) && (several || !inputs))
  const fields = effectiveFields(all, values)
  const first = firstOf(fields)
  const rest = fields.filter((field) => !first.includes(field))
  const set = (name: string, value: Values[string] | undefined) => {
    const { [name]: _old, ...others } = values
    onChange({ ...settings, values: value === undefined ? others : { ...others, [name]: value } })
  }
  const show = (field: OptionField) => (
    <Field key={field.name} field={field} value={values[field.name]} onChange={(value) => set(field.name, value)} />
  )
  const isTouched = Object.keys(values).length > 0 || settings.engine !== undefined
  if (all.length === 0 && descriptor.engines.length < 2) return <Text c="dimmed">{texts.none}</Text>
  const grid = { cols: { base: 1, xs: Math.min(2, columns), md: columns }, spacing: 'lg', verticalSpacing: 'md' }
  return (
    <Stack>
      <SimpleGrid {...grid}>{first.map(show)}</SimpleGrid>
      {open && (
        <SimpleGrid {...grid}>
          {rest.map(show)}
          {descriptor.engines.length > 1 && (
            <Select
              label={texts.engine}
              description={texts.engineHint}
              data={descriptor.engines}
              value={settings.engine ?? descriptor.engines[0]?.value ?? null}
              onChange={(engine) =>
                onChange({ values: {}, engine: engine && engine !== descriptor.engines[0]?.value ? engine : undefined })
              }
              allowDeselect={false}
            />
          )}
        </SimpleGrid>
      )}
      <Group gap="xs">
        {(rest.length > 0 || descriptor.engines.length > 1) && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconAdjustments size={16} />}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {open ? texts.fewer : texts.more(rest.length)}
          </Button>
        )}
        {isTouched && (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            leftSection={<IconRestore size={16} />}
            onClick={() => onChange({ values: {} })}
          >
            {texts.reset}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
