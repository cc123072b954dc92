/** Asks for the address of a webhook and what it is to be told of. */
import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import type { Webhook } from '@reforge/sdk'
import { type FormEvent, useState } from 'react'
import { ErrorBox } from '../../components/error-box.tsx'
import { useTexts } from '../../texts/texts.tsx'

type Event = Webhook['events'][number]
export const EVENTS = ['job.created', 'job.success', 'job.failed'] as const satisfies readonly Event[]

export interface WebhookWish {
  url: string
  events: Event[]
}

interface WebhookFormProps {
  known?: Webhook | undefined
  pending: boolean
  error: unknown
  onCancel: () => void
  onWish: (wish: WebhookWish) => void
}

export function WebhookForm({ known, pending, error, onCancel, onWish }: WebhookFormProps) {
  const { webhooks: texts, shared } = useTexts()
  const [url, setUrl] = useState(known?.url ?? '')
  const [events, setEvents] = useState<Event[]>(known?.events ?? [...EVENTS])
  const [tried, setTried] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (url.trim() !== '' && events.length > 0) onWish({ url: url.trim(), events })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={texts.form.url}
          description={texts.form.urlHint}
          placeholder={texts.form.urlPlaceholder}
          inputMode="url"
          value={url}
          error={tried && url.trim() === '' && texts.form.urlMissing}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          data-autofocus
        />
        <Checkbox.Group
          label={texts.form.events}
          value={events}
          onChange={(chosen) => setEvents(EVENTS.filter((event) => chosen.includes(event)))}
          error={tried && events.length === 0 && texts.form.eventsMissing}
        >
          <Stack gap="xs" mt={6}>
            {EVENTS.map((event) => (
              <Checkbox
                key={event}
                value={event}
                label={texts.events[event].name}
                description={texts.events[event].hint}
              />
            ))}
          </Stack>
        </Checkbox.Group>
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
