/** An empty table, with a few jobs to begin with. */
import { Button, Center, Group, Stack, Text, Title } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'
import { type Draft, draftOf } from './draft.ts'

const upload = { operation: 'import/upload' }
const EXAMPLES = {
  convert: {
    import: upload,
    convert: { operation: 'convert', input: 'import', output_format: 'pdf' },
    export: { operation: 'export/url', input: 'convert' },
  },
  link: {
    import: { operation: 'import/url', url: 'https://example.com/photo.png' },
    compress: { operation: 'compress', input: 'import', output_format: 'webp' },
    export: { operation: 'export/url', input: 'compress' },
  },
  merge: {
    'import-1': upload,
    'import-2': upload,
    merge: { operation: 'merge', input: ['import-1', 'import-2'], output_format: 'pdf' },
    export: { operation: 'export/url', input: 'merge' },
  },
}

export function Beginnings({ onUse }: { onUse: (draft: Draft) => void }) {
  const texts = useTexts().builder.empty
  const begin = (tasks: object) => {
    const draft = draftOf({ tasks })
    if (draft) onUse(draft)
  }
  return (
    <Center mih={320}>
      <Stack align="center" gap="sm">
        <Title order={2}>{texts.title}</Title>
        <Text c="dimmed" ta="center">
          {texts.lead}
        </Text>
        <Group justify="center">
          {(['convert', 'link', 'merge'] as const).map((name) => (
            <Button key={name} variant="default" onClick={() => begin(EXAMPLES[name])}>
              {texts[name]}
            </Button>
          ))}
        </Group>
      </Stack>
    </Center>
  )
}
