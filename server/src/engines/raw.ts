/** Raw pictures of cameras, developed by LibRaw; sharp does the rest. LibRaw turns them as the camera was held. */
import type { Capability, Engine } from '../catalog/engine.ts'
import type { Ext } from '../catalog/formats.ts'
import { option, options } from '../catalog/option.ts'
import { Failure } from '../core/errors.ts'
import { tool } from './kit/tool.ts'
import { type RawWishes, rawArgs } from './raw/args.ts'
import type { Job } from './sharp/job.ts'
import { afterStillOptions } from './sharp/options.ts'
import { finishPicture } from './sharp/run.ts'

const PROGRAM = '/usr/bin/dcraw_emu'
const GB = 2 ** 30

const developing = {
  raw_white_balance: option.choice(
    { camera: 'As the camera', auto: 'From the picture', daylight: 'Daylight' },
    { label: 'White balance', hint: 'What is taken for white.', default: 'camera' },
  ),
  raw_brightness: option.number({
    label: 'Brightness',
    hint: 'In percent. At 100 the picture is brightened as far as it goes; anything else counts from how it was taken.',
    units: '%',
    min: 10,
    max: 800,
    default: 100,
  }),
  raw_half_size: option.boolean({
    label: 'Half size',
    hint: 'Four pixels become one: quick, and free of invented colours.',
    default: false,
  }),
  raw_highlights: option.choice(
    { clip: 'White', blend: 'Blended', rebuild: 'Rebuilt' },
    { label: 'Highlights', hint: 'What becomes of parts that are too bright.', default: 'clip', more: true },
  ),
  raw_denoise: option.integer({
    label: 'Noise reduction',
    hint: 'From 0, none; 100 to 1000 are usual.',
    min: 0,
    max: 5000,
    default: 0,
    more: true,
  }),
}

const declared = {
  jpg: options({ ...developing, ...afterStillOptions.jpg }),
  png: options({ ...developing, ...afterStillOptions.png }),
  webp: options({ ...developing, ...afterStillOptions.webp }),
  tiff: options({ ...developing, ...afterStillOptions.tiff }),
}

type Developing = Job & { options: Omit<RawWishes, 'deep'> }

const unreadable = (name: string): string =>
  `"${name}" could not be read: it is damaged or incomplete, or the camera is newer than the LibRaw of this server.`

async function develop(work: Developing): Promise<readonly string[]> {
  const deep = work.options.image_bit_depth === '16'
  const { stderr } = await tool(work, {
    program: PROGRAM,
    args: ([input]) => rawArgs(input, { ...work.options, deep }),
    limits: { wall: 250_000, cpu: 240, memory: 3 * GB },
  })
  // It ends well whatever happened, and what it says is the only sign.
  if (/^Cannot /m.test(stderr)) throw new Failure('processing_failed', unreadable(work.input.filename), stderr)
  return finishPicture(work, { name: 'step.ppm', loader: 'pnm', upright: true })
}

/** Those of which a sample is developed in the tests; LibRaw reads more. */
const RAWS = ['dng', 'cr2', 'cr3', 'nef', 'nrw', 'arw', 'orf', 'rw2', 'raf', 'pef', 'srw', 'erf'] as const

const block = <S extends Capability['options']>(to: Ext, set: S, run: Capability<S>['run']): Capability<S> => ({
  does: 'convert',
  from: RAWS,
  to: [to],
  cost: 1,
  options: set,
  run,
})

export const raw: Engine = {
  id: 'libraw',
  title: 'LibRaw',
  tools: [{ program: PROGRAM, debian: 'libraw-bin' }, { program: 'sharp' }],
  can: [
    block('jpg', declared.jpg, develop),
    block('webp', declared.webp, develop),
    block('png', declared.png, develop),
    block('tiff', declared.tiff, develop),
  ],
}
