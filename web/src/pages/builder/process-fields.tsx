/** An operation's target and settings. Settings depend on the formats, so they come when those are known or assumed. */
import { Group, Input, Stack, Text, TextInput } from '@mantine/core'
import type { Processing } from '@reforge/sdk'
import { useQuery } from '@tanstack/react-query'
import { formatsQuery } from '../../data/queries.ts'
import { FormatPicker } from '../../formats/format-picker.tsx'
import { useReforge } from '../../session/session.tsx'
import { effectiveValues, type Values } from '../../settings/conditions.ts'
import { type Settings, SettingsForm, useOptions } from '../../settings/settings-form.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Step } from './draft.ts'
import type { Known } from './use-catalog.ts'

interface ProcessFieldsProps {
  step: Step
  operation: Processing
  known: Known
  onParams: (params: Step['params']) => void
  onAssumed: (format: string | undefined) => void
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

export function ProcessFields({ step, operation, known, onParams, onAssumed }: ProcessFieldsProps) {
  const texts = useTexts().builder.step
  const reforge = useReforge()
  const flow = known.incoming(step)
  const from = flow?.formats[0] ?? step.assumed
  const { output_format, options: _options, engine: _engine, ...others } = step.params
  const to = asText(output_format)
  const targets = useQuery(formatsQuery(reforge, operation, { input_format: from ?? '*' })).data ?? []
  const sources = useQuery({ ...formatsQuery(reforge, operation, { output_format: to ?? '*' }), enabled: !flow }).data
  const mustHave = known.required(operation).includes('output_format')
  const needsFrom = operation !== 'merge'
  return (
    <Stack gap="md">
      <Input.Wrapper label={texts.format} withAsterisk={mustHave}>
        <Group gap="xs">
          <FormatPicker
            formats={targets}
            value={to}
            family={from && known.families.get(from)}
            label={texts.format}
            // Settings of another target mean nothing for this one.
            onChange={(ext) => onParams({ ...others, output_format: ext })}
          />
          {!mustHave && !to && (
            <Text size="sm" c="dimmed">
              {texts.formatKept}
            </Text>
          )}
        </Group>
      </Input.Wrapper>
      <TextInput
        label={texts.outputName}
        value={asText(step.params.filename) ?? ''}
        onChange={({ currentTarget: { value } }) => onParams({ ...step.params, filename: value || undefined })}
      />
      {!flow && needsFrom && (
        <Input.Wrapper label={texts.assumed} description={texts.assumedHint}>
          <FormatPicker formats={sources ?? []} value={step.assumed} label={texts.assumed} onChange={onAssumed} />
        </Input.Wrapper>
      )}
      {(from || !needsFrom) && (to || !mustHave) && (
        <StepSettings
          step={step}
          operation={operation}
          query={{ ...(from && { input_format: from }), output_format: to ?? from ?? '' }}
          onParams={onParams}
        />
      )}
    </Stack>
  )
}

interface StepSettingsProps {
  step: Step
  operation: Processing
  query: { input_format?: string; output_format: string }
  onParams: (params: Step['params']) => void
}

const valuesIn = (options: unknown): Values =>
  typeof options === 'object' && options !== null ? ({ ...options } as Values) : {}

function StepSettings({ step, operation, query, onParams }: StepSettingsProps) {
  const texts = useTexts().builder.step
  const { options, engine, ...others } = step.params
  const settings: Settings = { values: valuesIn(options), engine: asText(engine) }
  const { data, error } = useOptions(operation, query, settings.engine)
  // A pair that is not possible has no settings; that it is not is said above.
  if (error) return null
  const take = (next: Settings) => {
    const values = data ? effectiveValues(data.options, next.values) : next.values
    onParams({ ...others, ...(next.engine && { engine: next.engine }), options: values })
  }
  return (
    <div>
      <Text fw={600} size="sm" mb="xs" component="h3">
        {texts.settings}
      </Text>
      <SettingsForm operation={operation} query={query} settings={settings} onChange={take} several columns={1} />
    </div>
  )
}
