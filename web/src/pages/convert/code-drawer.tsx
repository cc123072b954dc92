/** The same conversion from a terminal or a program. */

import { Drawer, Select, Stack, Text } from '@mantine/core'
import { asShortSdk, codeOf } from '../../code/as-code.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { SERVER } from '../../place.ts'
import { useOptions } from '../../settings/settings-form.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Aim, Opened } from './aim.ts'
import { bodyOf, taskOf } from './plan.ts'
import type { Planned } from './use-conversion.ts'

interface CodeDrawerProps {
  aim: Aim
  planned: readonly Planned[]
  opened: Opened
  open: (opened: Opened) => void
}

export function CodeDrawer({ aim, planned, opened, open }: CodeDrawerProps) {
  const { convert: texts, shared } = useTexts()
  const isOpen = opened?.what === 'code'
  const usable = planned.filter(({ plan }) => plan.to !== undefined)
  const shown = usable.find(({ item }) => item.id === opened?.id) ?? usable[0]
  return (
    <Drawer
      opened={isOpen && shown !== undefined}
      onClose={() => open(null)}
      size="lg"
      title={texts.codeTitle}
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      {shown && (
        <Stack>
          <Text size="sm" c="dimmed">
            {texts.codeLead}
          </Text>
          {usable.length > 1 && (
            <Select
              label={texts.codeOf}
              data={usable.map(({ item }) => ({ value: item.id, label: item.name }))}
              value={shown.item.id}
              onChange={(id) => id && open({ what: 'code', id })}
              allowDeselect={false}
              searchable={usable.length > 10}
            />
          )}
          <Code aim={aim} planned={shown} />
        </Stack>
      )}
    </Drawer>
  )
}

function Code({ aim, planned: { item, plan } }: { aim: Aim; planned: Planned }) {
  const query = { input_format: plan.from, output_format: plan.to ?? plan.from }
  const { data } = useOptions(aim, query, plan.settings.engine)
  const task = taskOf(aim, plan, data)
  const { operation: _operation, input: _input, ...how } = task
  const { output_format: to, ...rest } = { output_format: undefined, ...how }
  const short = asShortSdk(
    aim,
    item.name,
    { ...(to !== undefined && { [aim === 'convert' ? 'to' : 'output_format']: to }), ...rest },
    SERVER,
  )
  const code = codeOf(bodyOf(item, task), { url: SERVER, files: { 'import-1': item.name } })
  return <CodeBlock code={{ ...code, ...(item.source.kind === 'file' && { sdk: short }) }} />
}
