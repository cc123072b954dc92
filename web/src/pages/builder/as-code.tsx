/** The draft as something to paste. */
import { Text, Title } from '@mantine/core'
import { codeOf } from '../../code/as-code.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { SERVER } from '../../place.ts'
import { useTexts } from '../../texts/texts.tsx'
import { bodyOf } from './draft.ts'
import type { Builder } from './use-builder.ts'

export function AsCode({ builder: { draft, files } }: { builder: Builder }) {
  const texts = useTexts().builder
  const chosen = draft.steps.flatMap(({ id, name }) => {
    const file = files.get(id)
    return file ? [[name, file.name]] : []
  })
  return (
    <section aria-labelledby="builder-code">
      <Title order={2} id="builder-code">
        {texts.code}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.codeLead}
      </Text>
      <CodeBlock code={codeOf(bodyOf(draft), { url: SERVER, files: Object.fromEntries(chosen) })} />
    </section>
  )
}
