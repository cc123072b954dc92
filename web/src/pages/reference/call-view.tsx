/** One call: what it is for, what it takes, a way to try it, and what it answers. */
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useState } from 'react'
import { CodeBlock } from '../../components/code-block.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import type { Api, Endpoint } from '../../openapi/document.ts'
import { SchemaField } from '../../openapi/schema-field.tsx'
import { SERVER } from '../../place.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Access, Answers } from './about.tsx'
import { AnswerView } from './answer-view.tsx'
import { BodyForm, exampleBody } from './body-form.tsx'
import { Method } from './method.tsx'
import classes from './reference.module.css'
import { curlOf, headersOf, missingOf, pathOf } from './request.ts'
import { Shape } from './shape.tsx'
import { useTrial } from './use-trial.ts'

export function CallView({ call, api }: { call: Endpoint; api: Api }) {
  const { reference: texts, shared } = useTexts()
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({})
  const [body, setBody] = useState<unknown>(() => exampleBody(call, api))
  const [isBad, setBad] = useState(false)
  const { trial, error, isSending, send, stop } = useTrial()
  const filled = { values, body }
  const missing = missingOf(call, filled)
  const isFile = call.body?.type === 'multipart/form-data'

  const sendNow = () =>
    void send({
      method: call.method,
      path: pathOf(call, filled),
      headers: headersOf(call, filled),
      anonymous: call.scopes === null,
      ...(body !== undefined && !isFile && { body: JSON.stringify(body) }),
    })
  const ask = () =>
    modals.openConfirmModal({
      title: texts.sureTitle,
      children: <Text size="sm">{texts.sure}</Text>,
      labels: { confirm: texts.send, cancel: shared.cancel },
      confirmProps: { color: 'red' },
      onConfirm: sendNow,
    })

  return (
    <Stack gap="lg">
      <div>
        <Title order={2}>{call.summary}</Title>
        <div className={classes.address}>
          <Method method={call.method} />
          <span>{call.path}</span>
        </div>
        <Access call={call} />
      </div>
      <Paper component="section" aria-labelledby="try">
        <Stack>
          <div>
            <Title order={3} fz="md" id="try">
              {texts.tryIt}
            </Title>
            <Text size="sm" c="dimmed">
              {texts.tryLead}
            </Text>
          </div>
          {call.parameters.length > 0 && (
            <div className={classes.grid}>
              {call.parameters.map(({ name, schema, required, description }) => (
                <SchemaField
                  key={name}
                  name={name}
                  schema={schema}
                  required={required}
                  description={description}
                  value={values[name]}
                  onChange={(value) => setValues((old) => ({ ...old, [name]: value }))}
                />
              ))}
            </div>
          )}
          {call.body && !isFile && <BodyForm schema={call.body.schema} body={body} onChange={setBody} onBad={setBad} />}
          {isFile && <Text size="sm">{texts.fileNote}</Text>}
          <Group>
            <Button
              leftSection={<IconPlayerPlay size={16} />}
              disabled={missing.length > 0 || isBad || isFile}
              loading={isSending && !trial}
              onClick={call.method === 'DELETE' ? ask : sendNow}
            >
              {texts.send}
            </Button>
            {isSending && (
              <Button variant="default" leftSection={<IconPlayerStop size={16} />} onClick={stop}>
                {texts.stop}
              </Button>
            )}
            {missing.length > 0 && (
              <Text size="sm" c="dimmed">
                {texts.missing(missing.join(', '))}
              </Text>
            )}
          </Group>
        </Stack>
      </Paper>
      {error !== null && <ErrorBox error={error} />}
      {trial && <AnswerView trial={trial} />}
      <section aria-labelledby="curl">
        <Title order={3} fz="md" id="curl" mb="xs">
          {texts.curl}
        </Title>
        <CodeBlock code={curlOf(call, filled, SERVER)} />
      </section>
      {call.body && (
        <section aria-labelledby="fields">
          <Title order={3} fz="md" id="fields" mb="xs">
            {texts.body}
          </Title>
          <Shape schema={call.body.schema} api={api} />
        </section>
      )}
      <section aria-labelledby="answers">
        <Title order={3} fz="md" id="answers" mb="xs">
          {texts.answers}
        </Title>
        <Answers call={call} api={api} />
      </section>
    </Stack>
  )
}
