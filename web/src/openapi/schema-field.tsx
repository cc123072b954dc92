/** One field of a body or a query, as the control that suits its shape. Empty means: not sent. */
import { JsonInput, PasswordInput, Select, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { choicesOf, kindOfField, type Schema } from './document.ts'
import { Prose } from './prose.tsx'
import { isSecret } from './secrets.ts'

interface SchemaFieldProps {
  name: string
  schema: Schema
  value: unknown
  onChange: (value: unknown) => void
  required?: boolean
  description?: string | undefined
  error?: string | undefined
}

const isLong = (name: string): boolean => name === 'private_key' || name === 'file' || name === 'host_key'

export function SchemaField(props: SchemaFieldProps) {
  const { name, schema, value, onChange, required = false, description = schema.description, error } = props
  const { shared } = useTexts()
  const common = {
    label: name,
    description: description && <Prose text={description} />,
    required,
    withAsterisk: required,
    error,
  }
  const kind = kindOfField(schema)
  const text = value === undefined || value === null ? '' : String(value)
  const typed = (next: string) => onChange(next === '' ? undefined : next)
  if (kind === 'json') return <JsonField {...common} value={value} onChange={onChange} />
  if (kind === 'choice' || kind === 'boolean') {
    const labels: Record<string, string> = { true: shared.settings.yes, false: shared.settings.no }
    const values = kind === 'boolean' ? ['true', 'false'] : (choicesOf(schema) ?? [])
    return (
      <Select
        {...common}
        data={values.map((each) => ({ value: each, label: labels[each] ?? each }))}
        value={value === undefined ? null : text}
        onChange={(next) => onChange(next === null ? undefined : kind === 'boolean' ? next === 'true' : next)}
        clearable
        placeholder={shared.settings.asUsual}
      />
    )
  }
  if (kind === 'number') {
    const read = (next: string) => (Number.isNaN(Number(next)) ? next : Number(next))
    return (
      <TextInput
        {...common}
        inputMode="decimal"
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : read(currentTarget.value))}
      />
    )
  }
  if (isSecret(name) && name !== 'private_key')
    return (
      <PasswordInput
        {...common}
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => typed(currentTarget.value)}
      />
    )
  if (isLong(name))
    return <Textarea {...common} value={text} onChange={({ currentTarget }) => typed(currentTarget.value)} rows={3} />
  return <TextInput {...common} value={text} onChange={({ currentTarget }) => typed(currentTarget.value)} />
}

interface JsonFieldProps {
  label: string
  description: ReactNode
  withAsterisk: boolean
  value: unknown
  onChange: (value: unknown) => void
}

/** What is no JSON yet stays in the field and is not sent. */
function JsonField({ label, description, withAsterisk, value, onChange }: JsonFieldProps) {
  const { badJson } = useTexts().reference
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)))
  const [bad, setBad] = useState(false)
  const take = (next: string) => {
    setText(next)
    try {
      onChange(next.trim() === '' ? undefined : JSON.parse(next))
      setBad(false)
    } catch {
      setBad(true)
    }
  }
  return (
    <JsonInput
      label={label}
      description={description}
      withAsterisk={withAsterisk}
      value={text}
      onChange={take}
      error={bad && badJson}
      autosize
      minRows={2}
      maxRows={14}
    />
  )
}
