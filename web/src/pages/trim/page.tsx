/** Trim: parts of a recording, a film or a moving picture, on a wave form or a film strip. */
import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { readableDuration } from '../../figures/figures.ts'
import { type Settings, useOptions } from '../../settings/settings-form.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { CodeButton } from '../../tools/code-button.tsx'
import { createHeld, useHeld } from '../../tools/held.ts'
import { OneFilePage } from '../../tools/one-file-page.tsx'
import { ResultCard } from '../../tools/result-card.tsx'
import { createRun, isRunning, type Recipe, useRun } from '../../tools/run.ts'
import { RunBar } from '../../tools/run-bar.tsx'
import { howOf, SaveAs } from '../../tools/save-as.tsx'
import { type Subject, useImports } from '../../tools/subject.ts'
import { type Cut, TrimPlayer } from './player.tsx'
import { optionsOf, total } from './ranges.ts'

interface Trimming extends Cut {
  subject: Subject | null
  to?: string | undefined
  settings: Settings
}

const FRESH: Trimming = {
  subject: null,
  duration: 0,
  ranges: [],
  active: undefined,
  to: undefined,
  settings: { values: {} },
}
/** The time line says all of these. */
const MARKED = ['start', 'end', 'duration', 'ranges', 'trim_mode']

const trimming = createHeld<Trimming>(FRESH)
const run = createRun()

export const TrimPage = () => (
  <OneFilePage
    operation="trim"
    held={trimming}
    fresh={FRESH}
    run={run}
    bench={(subject) => <Bench key={subject.id} subject={subject} />}
  />
)

function Bench({ subject }: { subject: Subject }) {
  const { trim: texts } = useTexts()
  const { duration, ranges, active, to = subject.format, settings } = useHeld(trimming)
  const imports = useImports([subject])
  const { state, start, cancel } = useRun(run)
  const { data: descriptor } = useOptions('trim', { input_format: subject.format, output_format: to }, settings.engine)
  const modes = descriptor?.options.find(({ name }) => name === 'trim_mode')?.enum_values?.map(({ value }) => value)
  const recipe: Recipe = ([input = '']) => ({
    task: { operation: 'trim', input, ...howOf(subject, to, settings, descriptor, optionsOf(ranges)) },
  })
  return (
    <Stack gap="lg">
      <TrimPlayer subject={subject} cut={{ duration, ranges, active }} onCut={trimming.set} />
      <SaveAs
        operation="trim"
        subject={subject}
        to={to}
        settings={settings}
        onTo={(next) => trimming.set({ to: next, settings: { values: {} } })}
        onSettings={(next) => trimming.set({ settings: next })}
        without={MARKED}
      >
        {modes && (
          <Mode
            modes={modes}
            mode={String(settings.values.trim_mode ?? modes[0])}
            onMode={(trim_mode) =>
              trimming.set({ settings: { ...settings, values: { ...settings.values, trim_mode } } })
            }
          />
        )}
      </SaveAs>
      {state.stage === 'done' && <ResultCard key={state.outcome.job} outcome={state.outcome} before={subject.size} />}
      <RunBar
        state={state}
        imports={imports}
        label={texts.run}
        working={texts.working}
        disabled={ranges.length === 0}
        onStart={() => start([subject], recipe)}
        onCancel={cancel}
        actions={ranges.length > 0 && !isRunning(state) && <CodeButton subjects={[subject]} recipe={recipe} />}
      >
        {duration > 0 && (
          <Text size="sm" fw={500}>
            {texts.stays(readableDuration(total(ranges) * 1000), readableDuration(duration * 1000))}
          </Text>
        )}
      </RunBar>
    </Stack>
  )
}

interface ModeProps {
  modes: readonly string[]
  mode: string
  onMode: (mode: string) => void
}

function Mode({ modes, mode, onMode }: ModeProps) {
  const texts = useTexts().trim
  return (
    <Group gap="md">
      <SegmentedControl
        aria-label={texts.mode}
        value={mode}
        onChange={onMode}
        data={modes.map((value) => ({ value, label: texts.modes[value] ?? value }))}
      />
      <Text size="sm" c="dimmed" style={{ flex: '1 1 240px' }}>
        {texts.modeHints[mode]}
      </Text>
    </Group>
  )
}
