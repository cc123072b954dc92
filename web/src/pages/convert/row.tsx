/** One file: what it is, what it becomes, how far it is, and what can be done with it. */

import { ActionIcon, Indicator, Tooltip } from '@mantine/core'
import { IconAdjustments, IconArrowRight } from '@tabler/icons-react'
import { memo } from 'react'
import { FormatPicker } from '../../formats/format-picker.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { isRunning } from './list.ts'
import { RowButtons } from './row-buttons.tsx'
import { RowState } from './row-state.tsx'
import classes from './rows.module.css'
import type { RowsProps } from './rows-props.ts'
import { Thumbnail } from './thumbnail.tsx'
import type { Planned } from './use-conversion.ts'

interface RowProps extends Omit<RowsProps, 'planned'> {
  planned: Planned
}

export const Row = memo(function Row({ aim, list, planned, start, open }: RowProps) {
  const { convert: texts } = useTexts()
  const { item, plan } = planned
  const running = isRunning(item)
  return (
    <div className={classes.row} data-failed={item.state.stage === 'failed' || undefined}>
      <Thumbnail source={item.source} from={plan.from} family={plan.family} />
      <div className={classes.what}>
        <div className={classes.name} title={item.name}>
          {item.name}
        </div>
        <RowState aim={aim} planned={planned} />
      </div>
      <div className={classes.aim}>
        {aim === 'convert' && plan.possible && plan.possible.length > 0 && (
          <>
            <IconArrowRight size={16} className={classes.arrow} aria-hidden="true" />
            <FormatPicker
              formats={plan.possible}
              family={plan.family}
              value={plan.to}
              disabled={running}
              label={texts.targetOf(item.name)}
              onChange={(target) => list.update(item.id, { target })}
            />
          </>
        )}
        {plan.to !== undefined && plan.from !== '' && (
          <Tooltip label={texts.settings}>
            <Indicator disabled={!item.settings} size={8} offset={6}>
              <ActionIcon
                aria-label={texts.ownSettings(item.name)}
                disabled={running}
                onClick={() => open({ what: 'settings', id: item.id })}
              >
                <IconAdjustments size={18} />
              </ActionIcon>
            </Indicator>
          </Tooltip>
        )}
      </div>
      <RowButtons list={list} planned={planned} start={start} open={open} />
    </div>
  )
})
