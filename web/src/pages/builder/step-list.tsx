/** The graph as a list: every step with its form, in the order files go through them. All of it by keyboard. */
import { Accordion, Badge, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { iconOf } from '../../graph/kinds.ts'
import { layersOf } from '../../graph/layers.ts'
import { StatusMark } from '../../graph/status-mark.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { operationName } from '../jobs/words.ts'
import { find } from './draft.ts'
import { StepForm, type StepFormProps } from './step-form.tsx'
import type { States } from './use-run.ts'

interface StepListProps extends Omit<StepFormProps, 'step'> {
  states: States
}

export function StepList({ states, ...props }: StepListProps) {
  const texts = useTexts()
  const { draft, selected, select } = props.builder
  const spots = layersOf(draft.steps)
  const place = (id: string) => spots.get(id) ?? { column: 0, row: 0 }
  const ordered = draft.steps.toSorted(
    (a, b) => place(a.id).column - place(b.id).column || place(a.id).row - place(b.id).row,
  )
  return (
    <Accordion
      variant="separated"
      value={selected ?? null}
      onChange={(id) => select(id ?? undefined)}
      aria-label={texts.builder.steps}
    >
      {ordered.map((step) => {
        const Icon = iconOf(step.operation)
        const bad = props.problems.some((problem) => problem.step === step.id && !problem.mild)
        const state = states.get(step.name)
        const from = step.inputs.map((id) => find(draft, id)?.name ?? texts.builder.step.outside(id))
        return (
          <Accordion.Item key={step.id} value={step.id}>
            <Accordion.Control icon={<Icon size={20} stroke={1.6} />}>
              <Group gap="sm">
                <Text fw={600}>{step.name}</Text>
                <Badge color="gray">{operationName(step.operation, texts)}</Badge>
                {from.length > 0 && (
                  <Text size="sm" c="dimmed">
                    {texts.jobs.task.inputs} {from.join(', ')}
                  </Text>
                )}
                {state && <StatusMark status={state.status} />}
                {bad && !state && (
                  <IconAlertTriangle size={18} color="var(--mantine-color-red-text)" aria-hidden="true" />
                )}
              </Group>
            </Accordion.Control>
            <Accordion.Panel>{step.id === selected && <StepForm step={step} {...props} />}</Accordion.Panel>
          </Accordion.Item>
        )
      })}
    </Accordion>
  )
}
