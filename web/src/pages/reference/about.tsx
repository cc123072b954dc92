/** What a call needs, and what it may answer. */
import { Badge, Group, Text } from '@mantine/core'
import type { Api, Endpoint } from '../../openapi/document.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './reference.module.css'
import { Shape } from './shape.tsx'

export const Answers = ({ call, api }: { call: Endpoint; api: Api }) =>
  call.answers.map(({ status, description, schema }) => (
    <details key={status} className={classes.fold}>
      <summary>
        <Badge color={Number(status) < 400 ? 'green' : 'gray'}>{status}</Badge>{' '}
        <Text component="span" size="sm">
          {description}
        </Text>
      </summary>
      {schema && <Shape schema={schema} api={api} />}
    </details>
  ))

export function Access({ call: { scopes, byCookie } }: { call: Endpoint }) {
  const texts = useTexts().reference
  if (byCookie || scopes === null)
    return (
      <Text size="sm" c="dimmed" mt={6}>
        {byCookie ? texts.cookie : texts.open}
      </Text>
    )
  return (
    <Group gap={6} mt={6}>
      <Text size="sm" c="dimmed">
        {scopes.length > 0 ? texts.needs : texts.needsKey}
      </Text>
      {scopes.map((scope) => (
        <Badge key={scope} color="gray">
          {scope}
        </Badge>
      ))}
    </Group>
  )
}
