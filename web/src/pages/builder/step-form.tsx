/** Everything about one step: its name, what it takes from, and the fields of its operation. */
import { Alert, Button, FileInput, Group, MultiSelect, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconTrash, IconUpload } from '@tabler/icons-react'
import { kindOf } from '../../graph/kinds.ts'
import { useTexts } from '../../texts/texts.tsx'
import { change, find, mayConnect, type Step } from './draft.ts'
import { Fields } from './fields.tsx'
import { problemWords } from './problem-words.ts'
import { isProcessing, type Problem } from './problems.ts'
import { ProcessFields } from './process-fields.tsx'
import type { Builder } from './use-builder.ts'
import type { Known } from './use-catalog.ts'

export interface StepFormProps {
  step: Step
  builder: Builder
  known: Known
  problems: readonly Problem[]
  onRemove: (step: Step) => void
}

export function StepForm({ step, builder, known, problems, onRemove }: StepFormProps) {
  const texts = useTexts()
  const words = texts.builder.step
  const { edit } = builder
  const own = problems.filter((problem) => problem.step === step.id)
  const badName = own.find(({ kind }) => kind === 'badName' || kind === 'sameName')
  const others = own.filter((problem) => problem !== badName)
  const setParams = (params: Step['params']) => edit((now) => change(now, step.id, { params }), true)
  return (
    <Stack gap="md">
      {others.length > 0 && (
        <Alert
          color={others.some(({ mild }) => !mild) ? 'red' : 'yellow'}
          variant="light"
          icon={<IconAlertTriangle />}
          py="xs"
        >
          {others.map((problem) => (
            <Text key={problem.kind + problem.about.join()} size="sm">
              {problemWords(problem, texts)}
            </Text>
          ))}
        </Alert>
      )}
      <TextInput
        label={words.name}
        description={words.nameHint}
        value={step.name}
        error={badName && problemWords(badName, texts)}
        onChange={({ currentTarget: { value } }) => edit((now) => change(now, step.id, { name: value }), true)}
      />
      {kindOf(step.operation) !== 'import' && <Inputs step={step} builder={builder} />}
      {step.operation === 'import/upload' && (
        <FileInput
          label={words.file}
          description={words.fileHint}
          leftSection={<IconUpload size={16} />}
          value={builder.files.get(step.id) ?? null}
          onChange={(file) => builder.setFile(step.id, file)}
          clearable
        />
      )}
      {isProcessing(step.operation) ? (
        <ProcessFields
          step={step}
          operation={step.operation}
          known={known}
          onParams={setParams}
          onAssumed={(assumed) => edit((now) => change(now, step.id, { assumed }), true)}
        />
      ) : (
        <Fields schema={known.schema(step.operation)} params={step.params} onChange={setParams} />
      )}
      <Group>
        <Button
          size="xs"
          variant="subtle"
          color="red"
          leftSection={<IconTrash size={16} />}
          aria-label={words.removeOf(step.name)}
          onClick={() => onRemove(step)}
        >
          {words.remove}
        </Button>
      </Group>
    </Stack>
  )
}

/** The lines of the graph, for those who do not draw them. */
function Inputs({ step, builder: { draft, edit } }: Pick<StepFormProps, 'step' | 'builder'>) {
  const words = useTexts().builder.step
  const outside = step.inputs.filter((id) => !find(draft, id)).map((id) => ({ value: id, label: words.outside(id) }))
  const data = draft.steps
    .filter(({ id }) => step.inputs.includes(id) || mayConnect(draft, id, step.id))
    .map(({ id, name }) => ({ value: id, label: name }))
  return (
    <MultiSelect
      label={words.inputs}
      description={words.inputsHint}
      placeholder={step.inputs.length === 0 ? words.noInputs : ''}
      data={[...data, ...outside]}
      value={[...step.inputs]}
      onChange={(inputs) => edit((now) => change(now, step.id, { inputs }))}
    />
  )
}
