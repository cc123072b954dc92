/** Asks for the files of a run that are not chosen yet. */
import { Button, FileInput, Group, Modal, Stack, Text } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'
import type { Builder } from './use-builder.ts'

interface FilesDialogProps {
  builder: Builder
  onRun: () => void
  onClose: () => void
}

export function FilesDialog({ builder: { draft, files, setFile }, onRun, onClose }: FilesDialogProps) {
  const { builder, jobs, shared } = useTexts()
  const uploads = draft.steps.filter(({ operation }) => operation === 'import/upload')
  return (
    <Modal opened onClose={onClose} title={builder.runTitle}>
      <Stack>
        <Text size="sm">{builder.runLead}</Text>
        {uploads.map(({ id, name }) => (
          <FileInput
            key={id}
            label={jobs.again.fileOf(name)}
            value={files.get(id) ?? null}
            onChange={(file) => setFile(id, file)}
            clearable
          />
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {shared.cancel}
          </Button>
          <Button disabled={!uploads.every(({ id }) => files.has(id))} onClick={onRun}>
            {builder.run}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
