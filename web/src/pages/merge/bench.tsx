/** The files, what they become, and the way there. */
import { Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { readableSize } from '../../figures/figures.ts'
import { type Settings, SettingsForm, useOptions } from '../../settings/settings-form.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { CodeButton } from '../../tools/code-button.tsx'
import { useHeld } from '../../tools/held.ts'
import { ResultCard } from '../../tools/result-card.tsx'
import { isRunning, useRun } from '../../tools/run.ts'
import { RunBar } from '../../tools/run-bar.tsx'
import { useImports } from '../../tools/subject.ts'
import { Cards } from './cards.tsx'
import { type Item, isPages, recipeOf } from './items.ts'
import { merging, run } from './state.ts'
import { useRemoval } from './use-removal.tsx'
import { useTargets } from './use-targets.ts'

const NONE: Settings = { values: {} }

export function Bench({ items }: { items: readonly Item[] }) {
  const { merge: texts, tools } = useTexts()
  const { target: wanted, settings: all } = useHeld(merging)
  const remove = useRemoval()
  const targets = useTargets(items)
  const target = targets?.find((ext) => ext === wanted) ?? targets?.[0]
  const settings = all[target ?? ''] ?? NONE
  const kinds = new Set(items.map(({ subject }) => subject.format))
  // Files of several kinds have only those settings in common that the target itself has.
  const [kind] = kinds
  const query = { ...(kinds.size === 1 && kind && { input_format: kind }), output_format: target ?? 'pdf' }
  const { data: descriptor } = useOptions('merge', query, settings.engine)
  const subjects = items.map(({ subject }) => subject)
  const imports = useImports(subjects)
  const { state, start, cancel } = useRun(run)
  const size = subjects.reduce((sum, subject) => sum + (subject.size ?? 0), 0)
  const recipe = recipeOf(items, target ?? 'pdf', settings, descriptor)
  const isReady = items.length > 1 && target !== undefined && items.every(({ pages }) => isPages(pages))
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {texts.order}
        </Text>
        <Cards
          items={items}
          withPages={target === 'pdf'}
          onItems={(next) => merging.set({ items: next })}
          onRemove={(id) => remove(items.filter(({ subject }) => subject.id !== id))}
        />
      </Stack>
      <Paper component="section" aria-label={tools.settings}>
        <Stack>
          <Group justify="space-between">
            <Title order={2}>{texts.target}</Title>
            {target && targets && (
              <SegmentedControl
                aria-label={texts.target}
                value={target}
                data={targets.map((ext) => ({ value: ext, label: texts.targets[ext] ?? ext.toUpperCase() }))}
                onChange={(next) => merging.set({ target: next })}
              />
            )}
          </Group>
          {targets?.length === 0 && <Text c="red">{texts.impossible}</Text>}
          {target && (
            <SettingsForm
              operation="merge"
              query={query}
              settings={settings}
              onChange={(next) => merging.set({ settings: { ...all, [target]: next } })}
              without={['merge_pages']}
            />
          )}
        </Stack>
      </Paper>
      {state.stage === 'done' && (
        <ResultCard key={state.outcome.job} outcome={state.outcome} before={size || undefined} />
      )}
      <RunBar
        state={state}
        imports={imports}
        label={texts.run(items.length)}
        working={texts.working}
        disabled={!isReady}
        onStart={() => start(subjects, recipe)}
        onCancel={cancel}
        actions={isReady && !isRunning(state) && <CodeButton subjects={subjects} recipe={recipe} />}
      >
        <Text size="sm" fw={500}>
          {items.length < 2 ? texts.needTwo : texts.count(items.length, readableSize(size))}
        </Text>
      </RunBar>
    </Stack>
  )
}
