/** What can be done with the whole draft: add a step, go back, put in order, clear, look at it the other way. */
import { Button, Group, SegmentedControl } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArrowBackUp, IconLayoutGrid, IconTrash } from '@tabler/icons-react'
import { useTexts } from '../../texts/texts.tsx'
import { AddMenus } from './add-menus.tsx'
import { EMPTY } from './draft.ts'
import type { Builder } from './use-builder.ts'

export type View = 'canvas' | 'list'

interface ToolbarProps {
  builder: Builder
  view: View
  onView: (view: View) => void
  operations: readonly string[]
  onAdd: (operation: string) => void
  onTidy: () => void
}

export function Toolbar({ builder, view, onView, operations, onAdd, onTidy }: ToolbarProps) {
  const texts = useTexts().builder
  const { draft } = builder
  return (
    <Group justify="space-between">
      <Group gap="xs">
        <AddMenus operations={operations} onAdd={onAdd} />
      </Group>
      <Group gap="xs">
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          leftSection={<IconArrowBackUp size={16} />}
          disabled={builder.past.length === 0}
          onClick={builder.undo}
        >
          {texts.undo}
        </Button>
        {view === 'canvas' && (
          <Button
            variant="subtle"
            color="gray"
            size="sm"
            leftSection={<IconLayoutGrid size={16} />}
            disabled={draft.steps.length === 0}
            onClick={() => onTidy()}
          >
            {texts.tidy}
          </Button>
        )}
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          leftSection={<IconTrash size={16} />}
          disabled={draft.steps.length === 0}
          onClick={() => {
            builder.edit(() => EMPTY)
            notifications.show({ message: texts.cleared })
          }}
        >
          {texts.clear}
        </Button>
        <SegmentedControl
          aria-label={texts.views.label}
          value={view}
          onChange={(next) => onView(next === 'list' ? 'list' : 'canvas')}
          data={[
            { value: 'canvas', label: texts.views.canvas },
            { value: 'list', label: texts.views.list },
          ]}
        />
      </Group>
    </Group>
  )
}
