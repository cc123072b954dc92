/** The fields of an import or export, from the server's document: what is required first, the rest on demand. */
import { Button, Skeleton, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Schema } from '../../openapi/document.ts'
import { SchemaField } from '../../openapi/schema-field.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Step } from './draft.ts'

interface FieldsProps {
  schema: Schema | undefined
  params: Step['params']
  onChange: (params: Step['params']) => void
}

export function Fields({ schema, params, onChange }: FieldsProps) {
  const words = useTexts().builder.step
  const [open, setOpen] = useState(false)
  if (!schema) return <Skeleton height={60} />
  const required = new Set(schema.required)
  const all = Object.entries(schema.properties ?? {}).filter(([name]) => name !== 'input')
  const first = all.filter(([name]) => required.has(name) || params[name] !== undefined)
  const rest = all.filter(([name]) => !first.some(([each]) => each === name))
  const show = ([name, field]: [string, Schema]) => (
    <SchemaField
      key={name}
      name={name}
      schema={field}
      required={required.has(name)}
      value={params[name]}
      onChange={(value) => onChange({ ...params, [name]: value })}
    />
  )
  return (
    <Stack gap="md">
      {all.filter((field) => first.includes(field) || open).map(show)}
      {rest.length > 0 && (
        <Button size="xs" variant="default" w="fit-content" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? words.fewerFields : words.moreFields(rest.length)}
        </Button>
      )}
    </Stack>
  )
}
