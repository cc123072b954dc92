/** "As code": the same from a terminal or a program. */
import { Button, Drawer, Stack, Text } from '@mantine/core'
import { IconCode } from '@tabler/icons-react'
import { useState } from 'react'
import { codeOf } from '../code/as-code.ts'
import { CodeBlock } from '../components/code-block.tsx'
import { SERVER } from '../place.ts'
import { useTexts } from '../texts/texts.tsx'
import { importName, tasksOf } from '../work/run.ts'
import type { Recipe } from './run.ts'
import type { Subject } from './subject.ts'

export function CodeButton({ subjects, recipe }: { subjects: readonly Subject[]; recipe: Recipe }) {
  const { tools: texts, shared } = useTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button visibleFrom="sm" variant="default" leftSection={<IconCode size={18} />} onClick={() => setOpen(true)}>
        {texts.code}
      </Button>
      <Drawer
        opened={isOpen}
        onClose={() => setOpen(false)}
        size="lg"
        title={texts.codeTitle}
        closeButtonProps={{ 'aria-label': shared.close }}
      >
        {isOpen && (
          <Stack>
            <Text size="sm" c="dimmed">
              {texts.codeLead}
            </Text>
            <CodeBlock code={codeFor(subjects, recipe)} />
          </Stack>
        )}
      </Drawer>
    </>
  )
}

function codeFor(subjects: readonly Subject[], recipe: Recipe) {
  const names = subjects.map((_, index) => importName(index))
  const { task, more } = recipe(names)
  const sources = subjects.map(({ source }) => source)
  const files = Object.fromEntries(subjects.map(({ name }, index) => [importName(index), name]))
  return codeOf({ tasks: tasksOf(sources, task, more) }, { url: SERVER, files })
}
