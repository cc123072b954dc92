/** The operations of this server, to add as steps. */
import { Button, Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { iconOf, type Kind, kindOf } from '../../graph/kinds.ts'
import { useTexts } from '../../texts/texts.tsx'
import { operationName } from '../jobs/words.ts'

const KINDS: readonly Kind[] = ['import', 'process', 'export']

interface AddMenusProps {
  operations: readonly string[]
  onAdd: (operation: string) => void
}

export function AddMenus({ operations, onAdd }: AddMenusProps) {
  const texts = useTexts()
  return KINDS.map((kind) => (
    <Menu key={kind} position="bottom-start" shadow="md">
      <Menu.Target>
        <Button variant="default" size="sm" leftSection={<IconPlus size={16} />} disabled={operations.length === 0}>
          {texts.builder.add[kind]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {operations
          .filter((operation) => kindOf(operation) === kind)
          .map((operation) => {
            const Icon = iconOf(operation)
            return (
              <Menu.Item key={operation} leftSection={<Icon size={18} stroke={1.6} />} onClick={() => onAdd(operation)}>
                {operationName(operation, texts)}
              </Menu.Item>
            )
          })}
      </Menu.Dropdown>
    </Menu>
  ))
}
