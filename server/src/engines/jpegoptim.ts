/**
 * Makes JPEGs smaller without touching a pixel, by jpegoptim: better packing, no metadata. Everything that may lose
 * something is sharp's work, whose encoder makes smaller files.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Engine, Work } from '../catalog/engine.ts'
import { options } from '../catalog/option.ts'
import { compress_image } from '../catalog/vocabulary/image.ts'
import { Failure } from '../core/errors.ts'
import { orientationOf, orientationSegment } from './jpegoptim/orientation.ts'
import { onlySmaller } from './kit/reach.ts'
import { tool } from './kit/tool.ts'
import { compressOptions } from './sharp/options.ts'
import { changesPicture, compressPlan } from './sharp/settings.ts'
import { compressPicture } from './sharp.ts'

const PROGRAM = '/usr/bin/jpegoptim'
const HEAD = 65_536
const declared = options({ ...compressOptions.jpg, compress_image })
type JpegWork = Work<typeof declared>

/** The profile stays, or the colours would be others. */
export const jpegoptimArgs = (input: string, wishes: { strip: boolean; jpg_progressive: boolean }): string[] => [
  ...['--quiet', '--force', '--overwrite', '--dest=.'],
  ...(wishes.strip ? ['--strip-all', '--keep-icc', '--keep-adobe'] : ['--strip-none']),
  wishes.jpg_progressive ? '--all-progressive' : '--all-normal',
  input,
]

async function heldHow({ input }: JpegWork): Promise<number> {
  await using file = await open(input.path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0)
  return orientationOf(buffer.subarray(0, bytesRead))
}

/** Writes down again how the camera was held: turning would touch the pixels. */
async function noted(work: JpegWork, name: string, orientation: number): Promise<string> {
  const [from, to] = [join(work.dir, name), join(work.dir, 'out.jpg')]
  const start = Buffer.concat([Buffer.from([0xff, 0xd8]), orientationSegment(orientation)])
  const output = createWriteStream(to, { flags: 'wx' })
  output.write(start)
  await pipeline(createReadStream(from, { start: 2 }), output)
  return 'out.jpg'
}

function refuseChanges(work: JpegWork): void {
  const { compress_max_filesize } = work.options
  const plan = compressPlan({ from: [{ format: 'jpg', name: '' }], to: 'jpg', wishes: work.options })
  if (compress_max_filesize === undefined && !changesPicture({ ...plan, flatten: false })) return
  const what = 'A JPEG cannot be resized, changed or brought to a size without loss.'
  throw new Failure('processing_failed', `${what} Leave out compress_image=lossless, or those options.`)
}

async function compress(work: JpegWork): Promise<readonly string[]> {
  if (work.options.compress_image !== 'lossless') return compressPicture(work)
  refuseChanges(work)
  const orientation = work.options.strip ? await heldHow(work) : 1
  await tool(work, { program: PROGRAM, args: ([input]) => jpegoptimArgs(input, work.options) })
  const name = orientation === 1 ? '0.jpg' : await noted(work, '0.jpg', orientation)
  return [await onlySmaller(work, name, false)]
}

export const jpegoptim: Engine = {
  id: 'jpegoptim',
  title: 'jpegoptim',
  tools: [{ program: PROGRAM, debian: 'jpegoptim' }, { program: 'sharp' }],
  can: [{ does: 'compress', from: ['jpg'], to: 'same', cost: 1, options: declared, run: compress }],
}
