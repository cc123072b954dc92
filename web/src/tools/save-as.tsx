/** The settings of an operation on one file: what it is saved as, and how. */
import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { OptionDescriptor, Processing } from '@reforge/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatsQuery } from '../data/queries.ts'
import { FormatPicker } from '../formats/format-picker.tsx'
import { useReforge } from '../session/session.tsx'
import { effectiveValues, type Values } from '../settings/conditions.ts'
import { type Settings, SettingsForm, useOptions } from '../settings/settings-form.tsx'
import { useTexts } from '../texts/texts.tsx'
import type { Subject } from './subject.ts'

interface SaveAsProps {
  operation: Processing
  subject: Subject
  to: string
  settings: Settings
  onTo: (to: string) => void
  onSettings: (settings: Settings) => void
  without: readonly string[]
  children?: ReactNode
}

export function SaveAs({ operation, subject, to, settings, onTo, onSettings, without, children }: SaveAsProps) {
  const { tools: texts } = useTexts()
  const reforge = useReforge()
  const { data: formats = [] } = useQuery(formatsQuery(reforge, operation, { input_format: subject.format }))
  const query = { input_format: subject.format, output_format: to }
  const { data: descriptor } = useOptions(operation, query, settings.engine)
  const isEmpty = descriptor?.engines.length === 1 && descriptor.options.every(({ name }) => without.includes(name))
  return (
    <Paper component="section" aria-label={texts.settings}>
      <Stack>
        <Group justify="space-between">
          <Title order={2}>{texts.settings}</Title>
          <Group gap="xs">
            <Text size="sm">{texts.saveAs}</Text>
            <FormatPicker formats={formats} family={subject.family} value={to} onChange={onTo} label={texts.saveAs} />
          </Group>
        </Group>
        {children}
        {!isEmpty && (
          <SettingsForm
            operation={operation}
            query={query}
            settings={settings}
            onChange={onSettings}
            without={without}
          />
        )}
      </Stack>
    </Paper>
  )
}

/** What goes with the operation besides where to cut. */
export function howOf(
  { format }: Subject,
  to: string,
  { values, engine }: Settings,
  descriptor: OptionDescriptor | undefined,
  cut: Values,
) {
  return {
    ...(to !== format && { output_format: to }),
    ...(engine !== undefined && { engine }),
    options: { ...effectiveValues(descriptor?.options ?? [], values), ...cut },
  }
}
