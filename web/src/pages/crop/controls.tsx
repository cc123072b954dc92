/** The frame by numbers, by proportions and by where it lies. */
import { Button, Chip, Group, NumberInput, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconMaximize } from '@tabler/icons-react'
import { useTexts } from '../../texts/texts.tsx'
import classes from './crop.module.css'
import { aligned, type Bounds, type Frame, GRAVITIES, inside, proportioned, pulled, ratioOf } from './frame.ts'

const RATIOS = ['free', 'original', '1:1', '4:3', '3:2', '16:9', '3:4', '9:16']

interface ControlsProps {
  frame: Frame
  bounds: Bounds
  ratio: string
  onChange: (frame: Frame) => void
  onRatio: (name: string, frame: Frame) => void
}

export function Controls({ frame, bounds, ratio, onChange, onRatio }: ControlsProps) {
  const texts = useTexts().crop
  const { whole } = bounds
  const choose = (name: string) => onRatio(name, proportioned(frame, { ...bounds, ratio: ratioOf(name, whole) }))
  return (
    <Paper component="section" aria-label={texts.numbers}>
      <Stack gap="lg">
        <Numbers frame={frame} bounds={bounds} onChange={onChange} />
        <div>
          <Text size="sm" fw={500} mb={6} id="ratios">
            {texts.ratio}
          </Text>
          <Chip.Group value={ratio} onChange={choose}>
            <Group gap={6} role="radiogroup" aria-labelledby="ratios">
              {RATIOS.map((name) => (
                <Chip key={name} value={name} size="xs" variant="outline">
                  {texts.ratios[name] ?? name}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </div>
        <div>
          <Text size="sm" fw={500} mb={6}>
            {texts.align}
          </Text>
          <Group justify="space-between" align="flex-end" gap="xs" wrap="nowrap">
            <div className={classes.nine}>
              {GRAVITIES.map((gravity) => (
                <button
                  key={gravity}
                  type="button"
                  title={texts.gravities[gravity]}
                  aria-label={`${texts.align} ${texts.gravities[gravity]}`}
                  onClick={() => onChange(aligned(frame, gravity, bounds))}
                />
              ))}
            </div>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconMaximize size={16} />}
              onClick={() => onRatio('free', inside({ x: 0, y: 0, ...whole }, bounds))}
            >
              {texts.all}
            </Button>
          </Group>
        </div>
        <Text size="xs" c="dimmed" visibleFrom="sm">
          {texts.keys}
        </Text>
      </Stack>
    </Paper>
  )
}

function Numbers({ frame, bounds, onChange }: Pick<ControlsProps, 'frame' | 'bounds' | 'onChange'>) {
  const texts = useTexts().crop
  const { whole, grain } = bounds
  const field = (label: string, value: number, min: number, max: number, set: (value: number) => Frame) => (
    <NumberInput
      label={label}
      value={value}
      min={min}
      max={max}
      step={min === 0 ? 1 : grain}
      allowDecimal={false}
      allowNegative={false}
      onChange={(next) => next !== '' && onChange(set(Number(next)))}
    />
  )
  return (
    <SimpleGrid cols={2} spacing="sm" verticalSpacing="xs">
      {field(texts.x, frame.x, 0, Math.floor(whole.width - frame.width), (x) => inside({ ...frame, x }, bounds))}
      {field(texts.y, frame.y, 0, Math.floor(whole.height - frame.height), (y) => inside({ ...frame, y }, bounds))}
      {field(texts.width, frame.width, grain, Math.floor(whole.width), (width) => wider(frame, width, bounds))}
      {field(texts.height, frame.height, grain, Math.floor(whole.height), (height) => higher(frame, height, bounds))}
    </SimpleGrid>
  )
}

/** What does not fit to the right moves to the left; proportions hold. */
const wider = (frame: Frame, width: number, bounds: Bounds): Frame =>
  bounds.ratio === null ? inside({ ...frame, width }, bounds) : pulled(frame, 'e', width - frame.width, 0, bounds)

const higher = (frame: Frame, height: number, bounds: Bounds): Frame =>
  bounds.ratio === null ? inside({ ...frame, height }, bounds) : pulled(frame, 's', 0, height - frame.height, bounds)
