/** The page once there are files: their rows, settings, totals, and what opens over them. */

import { Button, Stack } from '@mantine/core'
import { IconCode } from '@tabler/icons-react'
import { useState } from 'react'
import { FileDrop } from '../../components/file-drop.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Aim, Opened } from './aim.ts'
import { CodeDrawer } from './code-drawer.tsx'
import { OwnSettings } from './own-settings.tsx'
import { PairSettings } from './pair-settings.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { Rows } from './rows.tsx'
import { SummaryBar } from './summary-bar.tsx'
import { useConversion } from './use-conversion.ts'

/** What is open over the page, and for which file. */
interface WorkingProps {
  aim: Aim
  drop: { onFiles: (files: File[]) => void; onLink: (url: string) => void }
}

export function Working({ aim, drop }: WorkingProps) {
  const { convert: texts } = useTexts()
  const { list, known, planned, start } = useConversion(aim)
  const [opened, open] = useState<Opened>(null)
  const id = planned[0]?.item.id ?? ''
  const chosen = planned.find(({ item }) => item.id === opened?.id)
  return (
    <PageFrame
      title={texts[aim].title}
      lead={texts[aim].lead}
      actions={
        <Button variant="default" leftSection={<IconCode size={18} />} onClick={() => open({ what: 'code', id })}>
          {texts.code}
        </Button>
      }
    >
      <Stack gap="md">
        <FileDrop compact {...drop} />
        <PairSettings aim={aim} list={list} planned={planned} />
        <Rows aim={aim} list={list} planned={planned} start={start} open={open} />
        <SummaryBar aim={aim} list={list} planned={planned} known={known} start={start} />
      </Stack>
      <PreviewDialog planned={planned} opened={opened} open={open} />
      <OwnSettings
        aim={aim}
        list={list}
        chosen={opened?.what === 'settings' ? chosen : undefined}
        close={() => open(null)}
      />
      <CodeDrawer aim={aim} planned={planned} opened={opened} open={open} />
    </PageFrame>
  )
}
