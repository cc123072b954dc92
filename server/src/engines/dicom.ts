/** Pictures of medical scanners, by DCMTK; sharp does the rest. Who they show is not carried over. */
import type { Capability, Engine } from '../catalog/engine.ts'
import { option, options } from '../catalog/option.ts'
import { type ToolRun, tool } from './kit/tool.ts'
import type { Job } from './sharp/job.ts'
import { afterOptions } from './sharp/options.ts'
import { finishPicture } from './sharp/run.ts'

const PROGRAM = '/usr/bin/dcmj2pnm'

const dicom_window = option.choice(
  { stored: 'As stored', range: 'From the darkest to the brightest' },
  {
    label: 'Brightness',
    hint: 'Which values are shown as black and as white. Where none are stored, the darkest and the brightest.',
    default: 'stored',
  },
)
const declared = {
  png: options({ dicom_window, ...afterOptions.png }),
  jpg: options({ dicom_window, ...afterOptions.jpg }),
}

interface Wishes {
  dicom_window: 'stored' | 'range'
  page?: number
  image_bit_depth?: string
}

export const dicomArgs = (
  input: string,
  { page = 1, image_bit_depth }: Omit<Wishes, 'dicom_window'>,
  window: string[],
) => [
  ...['--read-file', '--frame', String(page), ...window],
  ...[image_bit_depth === '16' ? '--write-16-bit-png' : '--write-png', input, 'step.png'],
]

const STORED = ['--use-window', '1']
const RANGE = ['--min-max-window']
/** Of a colour picture there is no range to choose. */
const NO_WINDOW = /cannot select VOI window|window\(s\) in file|not supported for color|for monochrome images only/i

async function draw(job: Job & { options: Wishes }): Promise<readonly string[]> {
  const { filename } = job.input
  const run = (window: string[], accepts: ToolRun['accepts'] = []) =>
    tool(job, {
      program: PROGRAM,
      args: ([input]) => dicomArgs(input, job.options, window),
      limits: { wall: 120_000, cpu: 120, memory: 2 * 2 ** 30 },
      accepts,
      explain: (words) =>
        /invalid frame number/.test(words) ? `The file ${filename} has no picture ${job.options.page}.` : null,
    })
  const stored = job.options.dicom_window === 'stored'
  const first = await run(stored ? STORED : RANGE, [1])
  const words = `${first.stderr}${first.stdout}`
  if (first.code !== 0) await run(stored && NO_WINDOW.test(words) ? RANGE : [])
  return finishPicture(job, { name: 'step.png', loader: 'png', upright: true })
}

const convert = <S extends Capability['options']>(
  to: 'png' | 'jpg',
  set: S,
  run: Capability<S>['run'],
): Capability<S> => ({
  does: 'convert',
  from: ['dcm'],
  to: [to],
  cost: 2,
  options: set,
  run,
})

export const dicom: Engine = {
  id: 'dcmtk',
  title: 'DCMTK',
  tools: [{ program: PROGRAM, debian: 'dcmtk' }, { program: 'sharp' }],
  can: [convert('png', declared.png, draw), convert('jpg', declared.jpg, draw)],
}
