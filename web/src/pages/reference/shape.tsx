/** A body's shape as a list of fields. What a field points to is unfolded on demand, so that even large shapes open at once. */
import { Badge, Code, Text } from '@mantine/core'
import { useState } from 'react'
import { type Api, resolved, type Schema, typeWords } from '../../openapi/document.ts'
import { Prose } from '../../openapi/prose.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './reference.module.css'

interface ShapeProps {
  schema: Schema
  api: Api
}

/** The object inside: of a reference, of a list, or itself. */
function innerOf(schema: Schema, api: Api): Schema | null {
  const real = resolved(schema, api)
  if (real.properties) return real
  return real.items ? innerOf(real.items, api) : null
}

export function Shape({ schema, api }: ShapeProps) {
  const texts = useTexts().reference
  const inner = innerOf(schema, api)
  const fields = Object.entries(inner?.properties ?? {})
  if (fields.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {inner ? texts.noFields : typeWords(schema)}
      </Text>
    )
  return (
    <ul className={classes.fields}>
      {fields.map(([name, field]) => (
        <Field key={name} name={name} schema={field} required={inner?.required?.includes(name) ?? false} api={api} />
      ))}
    </ul>
  )
}

function Field({ name, schema, required, api }: ShapeProps & { name: string; required: boolean }) {
  const texts = useTexts().reference
  const [open, setOpen] = useState(false)
  const inner = innerOf(schema, api)
  const head = (
    <>
      <Code>{name}</Code> <span className={classes.type}>{typeWords(schema)}</span>{' '}
      {required && <Badge size="xs">{texts.required}</Badge>}
    </>
  )
  const words = schema.description && (
    <Text size="sm">
      <Prose text={schema.description} />
    </Text>
  )
  if (!inner)
    return (
      <li>
        {head}
        {words}
      </li>
    )
  return (
    <li>
      <details className={classes.fold} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{head}</summary>
        {words}
        {open && <Shape schema={inner} api={api} />}
      </details>
    </li>
  )
}
