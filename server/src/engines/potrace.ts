/** Traces the outlines of a picture in black and white, by potrace; sharp makes it gray before. The result is a drawing. */
import type { Engine, Work } from '../catalog/engine.ts'
import { option, options } from '../catalog/option.ts'
import { tool } from './kit/tool.ts'
import { beforeOpaque } from './sharp/options.ts'
import { preparePicture } from './sharp/run.ts'

const PROGRAM = '/usr/bin/potrace'

const trace_threshold = option.number({
  label: 'Threshold',
  hint: 'Everything darker than this is black.',
  units: '%',
  min: 0,
  max: 100,
  default: 50,
})
const trace_smoothness = option.number({
  label: 'Smoothness',
  hint: 'From 0, all corners, to 100, all curves.',
  units: '%',
  min: 0,
  max: 100,
  default: 75,
  more: true,
})
const trace_speckles = option.integer({
  label: 'Speckles',
  hint: 'Spots of up to so many pixels are left out.',
  units: 'px',
  min: 0,
  max: 10_000,
  default: 2,
  more: true,
})
const trace_color = option.color({ label: 'Colour', hint: 'Colour of the shapes.', default: '#000000' })
const trace_invert = option.boolean({ label: 'Invert', hint: 'Traces what is bright.', default: false })

const declared = options({
  trace_threshold,
  trace_color,
  trace_invert,
  trace_smoothness,
  trace_speckles,
  ...beforeOpaque,
})
type Tracing = Work<typeof declared>
type Wishes = Pick<
  Tracing['options'],
  'trace_threshold' | 'trace_color' | 'trace_invert' | 'trace_smoothness' | 'trace_speckles'
>

/** "corner threshold parameter (default 1)": from 0 to 4/3, above which there are no corners. */
const SMOOTHEST = 4 / 3

export const potraceArgs = (input: string, wishes: Wishes): string[] => [
  ...['--backend', 'svg', '--output', 'out.svg', '--blacklevel', String(wishes.trace_threshold / 100)],
  ...['--alphamax', ((wishes.trace_smoothness / 100) * SMOOTHEST).toFixed(3)],
  ...['--turdsize', String(wishes.trace_speckles), '--color', wishes.trace_color],
  ...(wishes.trace_invert ? ['--invert'] : []),
  input,
]

async function trace(work: Tracing): Promise<readonly string[]> {
  const { name } = await preparePicture(work, { encode: { as: 'pgm', with: {} }, flatten: true }, 'step.pgm')
  await tool(work, { program: PROGRAM, args: () => potraceArgs(name, work.options) })
  return ['out.svg']
}

export const potrace: Engine = {
  id: 'potrace',
  title: 'Potrace',
  tools: [{ program: PROGRAM, debian: 'potrace' }, { program: 'sharp' }],
  can: [{ does: 'convert', from: ['png', 'jpg'], to: ['svg'], cost: 5, terminal: true, options: declared, run: trace }],
}
