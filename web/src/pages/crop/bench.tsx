/** The picture with its frame, the numbers beside it, and the way to the result. */
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useOptions } from '../../settings/settings-form.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { CodeButton } from '../../tools/code-button.tsx'
import { useHeld } from '../../tools/held.ts'
import { ResultCard } from '../../tools/result-card.tsx'
import { isRunning, type Recipe, useRun } from '../../tools/run.ts'
import { RunBar } from '../../tools/run-bar.tsx'
import { howOf, SaveAs } from '../../tools/save-as.tsx'
import { type Subject, useImports } from '../../tools/subject.ts'
import { Controls } from './controls.tsx'
import classes from './crop.module.css'
import { type Bounds, begun, type Frame, optionsOf, ratioOf, type Size } from './frame.ts'
import { Picture } from './picture.tsx'
import { Stage } from './stage.tsx'
import { cropping, run } from './state.ts'

/** The frame says all of these. */
const FRAMED = ['x', 'y', 'width', 'height', 'aspect_ratio', 'gravity', 'auto-orient']
/** Their size in pixels is a matter of opinion. */
const DRAWINGS = ['svg', 'eps']

export function Bench({ subject }: { subject: Subject }) {
  const { crop: texts } = useTexts()
  const { whole, frame, ratio, to = subject.format, settings } = useHeld(cropping)
  const imports = useImports([subject])
  const { state, start, cancel } = useRun(run)
  const query = { input_format: subject.format, output_format: to }
  const { data: descriptor } = useOptions('crop', query, settings.engine)
  const bounds = whole && boundsOf(subject, whole, ratio)
  const sized = (size: Size) => {
    const { whole: old, frame: kept } = cropping.get()
    if (kept && old?.width === size.width && old.height === size.height) return
    cropping.set({ whole: size, frame: begun(boundsOf(subject, size, ratio)) })
  }
  const change = (next: Frame) => cropping.set({ frame: next })
  const framed = (picture: ReactNode) =>
    frame && bounds ? (
      <Stage frame={frame} bounds={bounds} onChange={change}>
        {picture}
      </Stage>
    ) : (
      <div className={classes.stage}>{picture}</div>
    )
  const recipe: Recipe = ([input = '']) => {
    const isShared = subject.format === 'pdf' || subject.family === 'video' || DRAWINGS.includes(subject.format)
    const cut = frame && whole ? optionsOf(frame, whole, isShared ? '%' : 'px') : {}
    return { task: { operation: 'crop', input, ...howOf(subject, to, settings, descriptor, cut) } }
  }
  const unit = subject.format === 'pdf' ? texts.points : texts.pixels
  return (
    <Stack gap="lg">
      <div className={classes.bench}>
        <div className={classes.view}>
          <Picture subject={subject} values={settings.values} onSize={sized} framed={framed} />
        </div>
        {frame && bounds && (
          <Controls
            frame={frame}
            bounds={bounds}
            ratio={ratio}
            onChange={change}
            onRatio={(name, next) => cropping.set({ ratio: name, frame: next })}
          />
        )}
      </div>
      <SaveAs
        operation="crop"
        subject={subject}
        to={to}
        settings={settings}
        onTo={(next) => cropping.set({ to: next, settings: { values: {} } })}
        onSettings={(next) => cropping.set({ settings: next })}
        without={FRAMED}
      />
      {state.stage === 'done' && <ResultCard key={state.outcome.job} outcome={state.outcome} before={subject.size} />}
      <RunBar
        state={state}
        imports={imports}
        label={texts.run}
        working={texts.working}
        disabled={!frame}
        onStart={() => start([subject], recipe)}
        onCancel={cancel}
        actions={frame && !isRunning(state) && <CodeButton subjects={[subject]} recipe={recipe} />}
      >
        {frame && whole && (
          <Text size="sm" fw={500}>
            {texts.size(frame.width, frame.height, unit)}{' '}
            <Text component="span" c="dimmed" inherit fw={400}>
              {texts.of(whole.width, whole.height)}, {texts.place(frame.x, frame.y)}
            </Text>
          </Text>
        )}
      </RunBar>
    </Stack>
  )
}

/** Films take even sides only. */
const boundsOf = ({ family }: Subject, whole: Size, ratio: string): Bounds => ({
  whole,
  grain: family === 'video' ? 2 : 1,
  ratio: ratioOf(ratio, whole),
})
