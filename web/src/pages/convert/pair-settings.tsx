/** Settings for all files of a pair of formats; with several pairs one tab each. */

import { Badge, Box, Paper, Tabs, Text, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { SettingsForm } from '../../settings/settings-form.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Aim } from './aim.ts'
import type { List } from './list.ts'
import classes from './pair-settings.module.css'
import type { Planned } from './use-conversion.ts'

interface Pair {
  pair: string
  from: string
  to: string
  count: number
}

function pairsOf(planned: readonly Planned[]): Pair[] {
  const pairs = new Map<string, Pair>()
  for (const { item, plan } of planned) {
    if (plan.to === undefined || plan.from === '' || item.settings) continue
    const known = pairs.get(plan.pair)
    if (known) known.count++
    else pairs.set(plan.pair, { pair: plan.pair, from: plan.from, to: plan.to, count: 1 })
  }
  return [...pairs.values()]
}

export function PairSettings({ aim, list, planned }: { aim: Aim; list: List; planned: readonly Planned[] }) {
  const { convert: texts } = useTexts()
  const [chosen, choose] = useState<string | null>(null)
  // On a phone the files come first, and settings when asked for.
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const [open, setOpen] = useState(!isNarrow)
  const pairs = pairsOf(planned)
  const shown = pairs.find(({ pair }) => pair === chosen) ?? pairs[0]
  if (!shown) return null
  return (
    <Paper component="section" aria-label={texts.settings} py="sm">
      <UnstyledButton className={classes.head} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Text component="span" fw={600}>
          {texts.settings}
        </Text>
        {pairs.length === 1 && (
          <Text component="span" size="sm" c="dimmed">
            {texts.settingsOf(shown.from, shown.to)}, {texts.settingsFor(shown.count)}
          </Text>
        )}
        <IconChevronDown size={18} className={classes.chevron} aria-hidden="true" />
      </UnstyledButton>
      {open && (
        <>
          {pairs.length > 1 && (
            <Tabs value={shown.pair} onChange={choose} mt={4}>
              <Tabs.List aria-label={texts.settings}>
                {pairs.map(({ pair, from, to, count }) => (
                  <Tabs.Tab key={pair} value={pair} rightSection={<Badge color="gray">{count}</Badge>}>
                    {texts.settingsOf(from, to)}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
            </Tabs>
          )}
          <Box my="sm">
            <SettingsForm
              key={shown.pair}
              operation={aim}
              query={{ input_format: shown.from, output_format: shown.to }}
              settings={list.state().settings[shown.pair] ?? { values: {} }}
              onChange={(settings) => list.set(shown.pair, settings)}
            />
          </Box>
        </>
      )}
    </Paper>
  )
}
