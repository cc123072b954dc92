/** Apple's icons: several pictures in one file, most of them PNG. Sharp makes and reads those; a rare one is JPEG 2000. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine, Work } from '../catalog/engine.ts'
import { option, options } from '../catalog/option.ts'
import { iconFile, KINDS } from './apple-icon/write.ts'
import { MAGICK, magick } from './magick/run.ts'
import { takeFromIcon } from './sharp/chore.ts'
import type { Job } from './sharp/job.ts'
import { afterOptions, beforeIcon } from './sharp/options.ts'
import type { Plan } from './sharp/plan.ts'
import { finishPicture, preparePicture } from './sharp/run.ts'

async function read(job: Job): Promise<readonly string[]> {
  const found = await takeFromIcon(job, job.options.page, 'taken')
  if (found === 'png') return finishPicture(job, { name: 'taken', loader: 'png', upright: true })
  await magick({ ...job, inputs: [] }, () => ['-quiet', 'jp2:taken[0]', '-colorspace', 'sRGB', 'png:step.png'])
  return finishPicture(job, { name: 'step.png', loader: 'png', upright: true })
}

const SIDES = Object.keys(KINDS)
const one = `(?:${SIDES.join('|')})`
const icns_sizes = option.string({
  label: 'Sizes',
  hint: `Sides of the pictures in the icon, in pixels: some of ${SIDES.join(', ')}.`,
  pattern: new RegExp(`${one}(?:,${one}){0,6}`),
  expects: `numbers of ${SIDES.join(', ')} with commas between them`,
  maxLength: 48,
  default: '16,32,64,128,256,512',
})
const toIcon = options({ icns_sizes, ...beforeIcon })

async function write(work: Work<typeof toIcon>): Promise<readonly string[]> {
  const sides = [...new Set(work.options.icns_sizes.split(',').map(Number))].sort((a, b) => a - b)
  const pictures: [number, Buffer][] = []
  for (const side of sides) {
    // Icons are square: what is missing stays clear.
    const resize: Plan['resize'] = { width: side, height: side, fit: 'pad', enlarge: true, gravity: 'center' }
    const encode: Plan['encode'] = { as: 'png', with: { compressionLevel: 9, palette: false } }
    const { name } = await preparePicture(work, { resize, encode }, `side-${side}.png`)
    pictures.push([side, await readFile(join(work.dir, name))])
  }
  await writeFile(join(work.dir, 'out.icns'), iconFile(pictures))
  return ['out.icns']
}

export const appleIcon: Engine = {
  id: 'apple-icon',
  title: 'Apple icons',
  tools: [MAGICK, { program: 'sharp' }],
  can: [
    { does: 'convert', from: ['icns'], to: ['png'], cost: 2, options: afterOptions.png, run: read },
    { does: 'convert', from: ['png', 'jpg'], to: ['icns'], cost: 3, options: toIcon, run: write },
  ],
}
