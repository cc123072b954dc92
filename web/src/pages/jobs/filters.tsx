/** Narrows the list: by words, status, operation and tag. */
import { Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch, IconTag } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import classes from './list.module.css'
import type { Filter } from './use-job-list.ts'

const STATUSES = ['created', 'processing', 'completed', 'failed'] as const
const OPERATIONS = ['convert', 'compress', 'merge', 'crop', 'trim']

interface FiltersProps {
  filter: Filter
  onChange: (filter: Filter) => void
}

/** What is not given is left out, so that the same wish is the same question. */
export const narrowed = (filter: Filter): Filter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''))

export function Filters({ filter, onChange }: FiltersProps) {
  const { jobs, shared } = useTexts()
  const texts = jobs.list
  const operations = Object.keys(jobs.operations)
  const sorted = [...OPERATIONS, ...operations.filter((name) => !OPERATIONS.includes(name))]
  return (
    <search className={classes.filters}>
      <Typed
        label={texts.search}
        icon={<IconSearch size={16} />}
        value={filter.search}
        onChange={(search) => onChange(narrowed({ ...filter, search }))}
      />
      <Select
        aria-label={texts.status}
        placeholder={texts.anyStatus}
        clearable
        value={filter.status ?? null}
        data={STATUSES.map((value) => ({ value, label: shared.statuses[value] }))}
        onChange={(status) => onChange(narrowed({ ...filter, status: STATUSES.find((each) => each === status) }))}
      />
      <Select
        aria-label={texts.operation}
        placeholder={texts.anyOperation}
        clearable
        searchable
        value={filter.operation ?? null}
        data={sorted.map((value) => ({ value, label: jobs.operations[value] ?? value }))}
        onChange={(operation) => onChange(narrowed({ ...filter, operation: operation ?? undefined }))}
      />
      <Typed
        label={texts.tag}
        hint={texts.tagHint}
        icon={<IconTag size={16} />}
        value={filter.tag}
        onChange={(tag) => onChange(narrowed({ ...filter, tag }))}
      />
    </search>
  )
}

interface TypedProps {
  label: string
  hint?: string
  icon: React.ReactNode
  value: string | undefined
  onChange: (value: string) => void
}

/** Asks when somebody stops typing. */
function Typed({ label, hint, icon, value = '', onChange }: TypedProps) {
  const [text, setText] = useState(value)
  const tell = useDebouncedCallback(onChange, 250)
  useEffect(() => setText(value), [value])
  return (
    <TextInput
      aria-label={label}
      placeholder={hint ?? label}
      leftSection={icon}
      value={text}
      maxLength={200}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        tell(currentTarget.value)
      }}
    />
  )
}
