/** A body, field by field or as JSON; both are the same body. */
import { Group, JsonInput, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Api, Endpoint, Schema } from '../../openapi/document.ts'
import { exampleOf } from '../../openapi/example.ts'
import { SchemaField } from '../../openapi/schema-field.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './reference.module.css'

interface BodyFormProps {
  schema: Schema
  body: unknown
  onChange: (body: unknown) => void
  /** Whether what is written is no JSON. */
  onBad: (isBad: boolean) => void
}

/** What the body is before anybody has touched it. */
export function exampleBody({ body }: Endpoint, api: Api): unknown {
  return body?.type === 'application/json' ? exampleOf(body.schema, api) : undefined
}

const fieldsIn = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null ? { ...body } : {}

export function BodyForm({ schema, body, onChange, onBad }: BodyFormProps) {
  const texts = useTexts().reference
  const [kind, setKind] = useState<'form' | 'json'>('form')
  const fields = Object.entries(schema.properties ?? {})
  const set = (name: string, value: unknown) => {
    const { [name]: _old, ...others } = fieldsIn(body)
    onChange(value === undefined ? others : { ...others, [name]: value })
  }
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text fw={600} size="sm">
          {texts.body}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={texts.bodyKind}
          value={kind}
          onChange={(next) => setKind(next === 'json' ? 'json' : 'form')}
          data={[
            { value: 'form', label: texts.asForm },
            { value: 'json', label: texts.asJson },
          ]}
        />
      </Group>
      {kind === 'json' ? (
        <Written body={body} onChange={onChange} onBad={onBad} />
      ) : fields.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.noFields}
        </Text>
      ) : (
        <div className={classes.grid}>
          {fields.map(([name, field]) => (
            <SchemaField
              key={name}
              name={name}
              schema={field}
              required={schema.required?.includes(name) ?? false}
              value={fieldsIn(body)[name]}
              onChange={(value) => set(name, value)}
            />
          ))}
        </div>
      )}
    </Stack>
  )
}

function Written({ body, onChange, onBad }: Pick<BodyFormProps, 'body' | 'onChange' | 'onBad'>) {
  const texts = useTexts().reference
  const [text, setText] = useState(() => (body === undefined ? '' : JSON.stringify(body, null, 2)))
  const [isBad, setBad] = useState(false)
  const take = (next: string) => {
    setText(next)
    let bad = false
    try {
      onChange(next.trim() === '' ? undefined : JSON.parse(next))
    } catch {
      bad = true
    }
    setBad(bad)
    onBad(bad)
  }
  return (
    <JsonInput
      aria-label={texts.bodyLabel}
      value={text}
      onChange={take}
      error={isBad && texts.badJson}
      autosize
      minRows={4}
      maxRows={20}
    />
  )
}
