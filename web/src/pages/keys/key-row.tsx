/** One key: its name, what it may do, its budget, when it was last used, and what can be done with it. */
import { ActionIcon, Badge, Box, Menu, Text } from '@mantine/core'
import type { Key } from '@reforge/sdk'
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { Meter } from '../../components/meter.tsx'
import { Row } from '../../components/rows.tsx'
import { readableNumber } from '../../figures/figures.ts'
import { When } from '../../figures/when.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { SCOPES } from './key-form.tsx'

interface KeyRowProps {
  known: Key
  onChange: () => void
  onRevoke: () => void
}

export function KeyRow({ known, onChange, onRevoke }: KeyRowProps) {
  const { keys: texts } = useTexts()
  const { name, scopes, budget, current, createdAt, lastUsedAt } = known
  return (
    <Row
      title={
        <>
          {name}
          {current && <Badge color="ember">{texts.current}</Badge>}
        </>
      }
      about={
        scopes.length === SCOPES.length ? (
          <Badge color="gray">{texts.everything}</Badge>
        ) : (
          scopes.map((scope) => (
            <Badge key={scope} color="gray">
              {texts.scopes[scope].name}
            </Badge>
          ))
        )
      }
      facts={
        <>
          <Text size="sm">
            {lastUsedAt ? (
              <>
                {texts.lastUsed} <When at={lastUsedAt} />
              </>
            ) : (
              texts.never
            )}
          </Text>
          <Text size="xs" c="dimmed">
            {texts.made} <When at={createdAt} />
          </Text>
        </>
      }
      actions={
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={texts.menu(name)}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={onChange}>
              {texts.edit}
            </Menu.Item>
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={onRevoke}>
              {texts.revoke}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      }
    >
      {budget && (
        <Box mt="sm" maw={320}>
          <Meter
            label={texts.budget.used(readableNumber(budget.used), readableNumber(budget.minutes), budget.per)}
            used={budget.used}
            limit={budget.minutes}
          />
        </Box>
      )}
    </Row>
  )
}
