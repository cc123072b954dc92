/** What can be done with a file now: see and fetch the result, try again, stop, take it off the list. */

import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconDownload, IconEye, IconRefresh, IconX } from '@tabler/icons-react'
import { useNotifyError } from '../../components/error-box.tsx'
import { here } from '../../place.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Outcome } from '../../work/run.ts'
import type { Opened } from './aim.ts'
import { type Item, isRunning, type List } from './list.ts'
import classes from './rows.module.css'
import { useArchive } from './use-archive.ts'
import type { Planned } from './use-conversion.ts'
import { useRemoval } from './use-removal.tsx'

interface RowButtonsProps {
  list: List
  planned: Planned
  start: (planned: Planned) => Promise<void>
  open: (opened: Opened) => void
}

export function RowButtons({ list, planned, start, open }: RowButtonsProps) {
  const { convert: texts, shared } = useTexts()
  const remove = useRemoval(list)
  const { item } = planned
  const running = isRunning(item)
  const label = running ? texts.cancelOf(item.name) : texts.removeOf(item.name)
  return (
    <div className={classes.buttons}>
      {item.state.stage === 'done' && <Result item={item} outcome={item.state.outcome} open={open} />}
      {item.state.stage === 'failed' && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={16} />}
          aria-label={texts.retry(item.name)}
          onClick={() => void start(planned)}
        >
          {shared.retry}
        </Button>
      )}
      <Tooltip label={label}>
        <ActionIcon
          className={classes.close}
          aria-label={label}
          onClick={() => (running ? list.cancel(item.id) : remove([item.id]))}
        >
          <IconX size={18} />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}

function Result({ item, outcome, open }: { item: Item; outcome: Outcome; open: (opened: Opened) => void }) {
  const { convert: texts } = useTexts()
  const { archive, archiving } = useArchive()
  const notifyError = useNotifyError()
  const [first, ...others] = outcome.files
  if (!first) return null
  const zip = `${item.name.replace(/\.\w+$/, '')}.zip`
  const preview = {
    'aria-label': texts.previewOf(first.filename),
    onClick: () => open({ what: 'preview', id: item.id }),
  }
  const look = { size: 'xs', variant: 'light', leftSection: <IconDownload size={16} /> } as const
  return (
    <>
      <ActionIcon {...preview} variant="default" size={30} hiddenFrom="sm">
        <IconEye size={16} />
      </ActionIcon>
      <Button {...preview} size="xs" variant="default" leftSection={<IconEye size={16} />} visibleFrom="sm">
        {texts.preview}
      </Button>
      {others.length === 0 ? (
        <Button
          {...look}
          component="a"
          href={here(first.url)}
          download={first.filename}
          aria-label={texts.downloadOf(first.filename)}
        >
          {texts.download}
        </Button>
      ) : (
        <Button
          {...look}
          loading={archiving}
          aria-label={texts.downloadOf(zip)}
          onClick={() => archive([outcome.task], zip).catch(notifyError)}
        >
          {texts.download}
        </Button>
      )}
    </>
  )
}
