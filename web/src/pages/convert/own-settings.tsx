/** Settings for one file alone. */

import { Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { SettingsForm } from '../../settings/settings-form.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Aim } from './aim.ts'
import type { List } from './list.ts'
import type { Planned } from './use-conversion.ts'

interface OwnSettingsProps {
  aim: Aim
  list: List
  chosen: Planned | undefined
  close: () => void
}

export function OwnSettings({ aim, list, chosen, close }: OwnSettingsProps) {
  const { convert: texts, shared } = useTexts()
  const to = chosen?.plan.to
  return (
    <Drawer
      opened={chosen !== undefined}
      onClose={close}
      title={chosen && texts.ownSettings(chosen.item.name)}
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      {chosen && to && (
        <Stack>
          <Text size="sm" c="dimmed">
            {texts.ownLead}
          </Text>
          <SettingsForm
            operation={aim}
            columns={1}
            query={{ input_format: chosen.plan.from, output_format: to }}
            settings={chosen.plan.settings}
            onChange={(settings) => list.update(chosen.item.id, { settings })}
          />
          <Group>
            {chosen.item.settings && (
              <Button variant="default" onClick={() => list.update(chosen.item.id, { settings: undefined })}>
                {texts.ownReset}
              </Button>
            )}
            <Button onClick={close}>{shared.close}</Button>
          </Group>
        </Stack>
      )}
    </Drawer>
  )
}
