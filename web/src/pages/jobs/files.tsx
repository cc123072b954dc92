/** A task's files: to look at and to take. */
import { ActionIcon, Group, Modal, Stack, Text, Tooltip } from '@mantine/core'
import type { Task } from '@reforge/sdk'
import { IconDownload, IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { readableSize } from '../../figures/figures.ts'
import { When } from '../../figures/when.tsx'
import { here } from '../../place.ts'
import { showingOf } from '../../preview/kind.ts'
import { type Previewed, ResultPreview } from '../../preview/result-preview.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './task.module.css'

export function Files({ task }: { task: Task }) {
  const { task: texts } = useTexts().jobs
  const [looking, setLooking] = useState<Previewed | null>(null)
  const files = task.result.files ?? []
  if (files.length === 0) return null
  const isOver = Date.parse(task.expiresAt) <= Date.now()
  return (
    <Stack gap={6}>
      <Text fw={600} size="sm" component="h3">
        {texts.files}
      </Text>
      <div className={classes.files}>
        {files.map(({ url, filename, size, format }) => (
          <div key={`${filename} ${url}`} className={classes.file}>
            <Text size="sm" truncate title={filename} flex={1}>
              {filename}
            </Text>
            <Text size="sm" c="dimmed" className={classes.figure}>
              {format.toUpperCase()} · {readableSize(size)}
            </Text>
            {url && !isOver ? (
              <Group gap={2} wrap="nowrap">
                {showingOf(format) && (
                  <Tooltip label={texts.previewOf(filename)}>
                    <ActionIcon
                      aria-label={texts.previewOf(filename)}
                      onClick={() => setLooking({ url, filename, size, format })}
                    >
                      <IconEye size={18} />
                    </ActionIcon>
                  </Tooltip>
                )}
                <Tooltip label={texts.downloadOf(filename)}>
                  <ActionIcon
                    component="a"
                    href={here(url)}
                    download={filename}
                    aria-label={texts.downloadOf(filename)}
                  >
                    <IconDownload size={18} />
                  </ActionIcon>
                </Tooltip>
              </Group>
            ) : (
              !url && (
                <Text size="xs" c="dimmed">
                  {texts.stored}
                </Text>
              )
            )}
          </div>
        ))}
      </div>
      <Text size="xs" c="dimmed">
        {isOver ? (
          texts.expired
        ) : (
          <>
            {texts.filesGo} <When at={task.expiresAt} />
          </>
        )}
      </Text>
      <Modal opened={looking !== null} onClose={() => setLooking(null)} title={looking?.filename} size="xl">
        {looking && <ResultPreview file={looking} />}
      </Modal>
    </Stack>
  )
}
