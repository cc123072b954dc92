/** A result in large, with the original beside it where both are pictures, and the ways to the others. */

import { ActionIcon, Button, Group, Modal, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { readableChange, readableSize } from '../../figures/figures.ts'
import { here } from '../../place.ts'
import { ResultPreview } from '../../preview/result-preview.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Opened } from './aim.ts'
import type { Planned } from './use-conversion.ts'

interface PreviewDialogProps {
  planned: readonly Planned[]
  opened: Opened
  open: (opened: Opened) => void
}

export function PreviewDialog({ planned, opened, open }: PreviewDialogProps) {
  const { shared } = useTexts()
  const shown = opened?.what === 'preview' ? planned.find(({ item }) => item.id === opened.id) : undefined
  const done = shown?.item.state.stage === 'done'
  return (
    <Modal
      opened={done}
      onClose={() => open(null)}
      size="xl"
      title={shown?.item.name}
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      {shown && done && <Results key={shown.item.id} planned={shown} />}
    </Modal>
  )
}

function Results({ planned: { item, plan } }: { planned: Planned }) {
  const { convert: texts } = useTexts()
  const [at, go] = useState(0)
  const files = item.state.stage === 'done' ? item.state.outcome.files : []
  const file = files[at]
  if (!file) return null
  const source = item.source.kind === 'file' ? item.source.file : null
  const single = files.length === 1
  return (
    <>
      <ResultPreview file={file} original={source && single ? { blob: source, format: plan.from } : undefined} />
      <Group justify="space-between" mt="md">
        {single ? (
          <Text size="sm">
            {source && `${readableSize(source.size)} → `}
            {readableSize(file.size)}
            {source && ` (${readableChange(source.size, file.size)})`}
          </Text>
        ) : (
          <Group gap="xs">
            <ActionIcon variant="default" aria-label={texts.previous} disabled={at === 0} onClick={() => go(at - 1)}>
              <IconChevronLeft size={18} />
            </ActionIcon>
            <Text size="sm">{texts.fileOf(at + 1, files.length)}</Text>
            <ActionIcon
              variant="default"
              aria-label={texts.next}
              disabled={at === files.length - 1}
              onClick={() => go(at + 1)}
            >
              <IconChevronRight size={18} />
            </ActionIcon>
          </Group>
        )}
        <Button component="a" href={here(file.url)} download={file.filename} leftSection={<IconDownload size={18} />}>
          {texts.downloadOf(file.filename)}
        </Button>
      </Group>
    </>
  )
}
