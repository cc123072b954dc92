/** What a webhook is told of. */
import { Badge } from '@mantine/core'
import type { Webhook } from '@reforge/sdk'
import { useTexts } from '../../texts/texts.tsx'
import { EVENTS } from './webhook-form.tsx'

export function Events({ events }: Pick<Webhook, 'events'>) {
  const { webhooks: texts } = useTexts()
  if (events.length === EVENTS.length) return <Badge color="gray">{texts.allEvents}</Badge>
  return events.map((event) => (
    <Badge key={event} color="gray">
      {texts.events[event].name}
    </Badge>
  ))
}
