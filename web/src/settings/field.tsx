/** One setting as the control that suits it. Left alone, the server's usual value counts, which is shown. */
import { ColorInput, Input, NumberInput, PasswordInput, Select, Slider, Switch, Text, TextInput } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'
import type { OptionField, Values } from './conditions.ts'
import classes from './field.module.css'

interface FieldProps {
  field: OptionField
  value: Values[string] | undefined
  onChange: (value: Values[string] | undefined) => void
}

const isShortRange = ({ data_type, min, max }: OptionField): boolean =>
  data_type === 'integer' && min !== undefined && max !== undefined && max - min <= 100 && max - min > 3

const labelOf = ({ label, name, units }: OptionField): string => `${label ?? name}${units ? ` (${units})` : ''}`

export function Field(props: FieldProps) {
  const { field } = props
  if (field.type === 'enum') return <Choice {...props} />
  if (field.data_type === 'boolean') return <YesNo {...props} />
  if (field.type === 'color') return <Colour {...props} />
  if (isShortRange(field) && field.default_value !== '') return <Range {...props} />
  if (field.data_type === 'integer' || field.data_type === 'number') return <Figure {...props} />
  return <Words {...props} />
}

function Choice({ field, value, onChange }: FieldProps) {
  const { settings } = useTexts().shared
  const data = (field.enum_values ?? []).map(({ value: each, label, hint }) => ({ value: each, label: label ?? hint }))
  return (
    <Select
      label={labelOf(field)}
      description={field.hint}
      data={data}
      value={value === undefined ? field.default_value || null : String(value)}
      placeholder={settings.asUsual}
      onChange={(next) => onChange(next === null || next === field.default_value ? undefined : next)}
      clearable={field.default_value === ''}
      searchable={data.length > 10}
      allowDeselect={false}
      comboboxProps={{ shadow: 'md' }}
    />
  )
}

const YesNo = ({ field, value, onChange }: FieldProps) => (
  <Switch
    label={labelOf(field)}
    description={field.hint}
    checked={value === undefined ? field.default_value === 'true' : value === true}
    onChange={({ currentTarget: { checked } }) =>
      onChange(field.default_value === String(checked) ? undefined : checked)
    }
  />
)

const Colour = ({ field, value, onChange }: FieldProps) => {
  const { settings } = useTexts().shared
  return (
    <ColorInput
      eyeDropperButtonProps={{ 'aria-label': settings.pickColour }}
      label={labelOf(field)}
      description={field.hint}
      placeholder={field.default_value}
      value={value === undefined ? '' : String(value)}
      onChange={(next) => onChange(next || undefined)}
      format={/^#[0-9a-f]{8}$|transparent/i.test(field.default_value) ? 'hexa' : 'hex'}
    />
  )
}

function Range({ field, value, onChange }: FieldProps) {
  const { min = 0, max = 100 } = field
  const usual = Number(field.default_value)
  const shown = value === undefined ? usual : Number(value)
  const change = (next: number) => onChange(next === usual ? undefined : next)
  return (
    <div>
      <div className={classes.head}>
        <Input.Label labelElement="div">{labelOf(field)}</Input.Label>
        <NumberInput
          aria-label={labelOf(field)}
          className={classes.figure}
          size="xs"
          min={min}
          max={max}
          value={shown}
          onChange={(next) => change(next === '' ? usual : Number(next))}
          clampBehavior="blur"
          allowDecimal={false}
          hideControls
        />
      </div>
      <Slider min={min} max={max} value={shown} onChange={change} label={null} thumbLabel={labelOf(field)} />
      <Text size="xs" c="dimmed" mt={4}>
        {field.hint}
      </Text>
    </div>
  )
}

const Figure = ({ field, value, onChange }: FieldProps) => {
  const { settings } = useTexts().shared
  const { min, max } = field
  const range = min !== undefined && max !== undefined ? settings.between(String(min), String(max)) : undefined
  return (
    <NumberInput
      label={labelOf(field)}
      description={field.hint}
      placeholder={field.default_value ? settings.usual(field.default_value) : range}
      value={value === undefined ? '' : Number(value)}
      onChange={(next) => onChange(next === '' || next === '-' ? undefined : Number(next))}
      allowDecimal={field.data_type === 'number'}
      clampBehavior="blur"
      {...(min !== undefined && { min })}
      {...(max !== undefined && { max })}
    />
  )
}

function Words({ field, value, onChange }: FieldProps) {
  const { settings } = useTexts().shared
  const rest = {
    label: labelOf(field),
    description: field.hint,
    placeholder: field.default_value ? settings.usual(field.default_value) : '',
    value: value === undefined ? '' : String(value),
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onChange(currentTarget.value || undefined),
  }
  if (/password$/.test(field.name)) return <PasswordInput {...rest} autoComplete="off" />
  return <TextInput {...rest} autoComplete="off" />
}
