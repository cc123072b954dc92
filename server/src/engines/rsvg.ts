/** Drawings as drawings: SVG to PDF and PostScript by rsvg-convert, where lines stay lines. It reads no other file. */
import type { Engine, Work } from '../catalog/engine.ts'
import { option, options } from '../catalog/option.ts'
import { tool } from './kit/tool.ts'
import { keepWarm } from './kit/warm.ts'
import { refuseBomb } from './sharp/chore.ts'

const PROGRAM = '/usr/bin/rsvg-convert'

const warm = keepWarm('rsvg', PROGRAM)

const declared = options({
  svg_scale: option.number({
    label: 'Scale',
    hint: 'Size of the result in percent of the drawing.',
    units: '%',
    min: 1,
    max: 10_000,
    default: 100,
  }),
  background: option.color({ hint: 'Colour behind the drawing. Without it, none.' }),
})
type Drawing = Work<typeof declared>

export const rsvgArgs = (
  input: string,
  to: string,
  { svg_scale, background }: Drawing['options'],
  output = `out.${to}`,
): string[] => [
  ...['--format', to, '--output', output, '--zoom', String(svg_scale / 100)],
  ...(background === undefined ? [] : ['--background-color', background]),
  input,
]

async function draw(work: Drawing): Promise<readonly string[]> {
  await refuseBomb(work)
  const output = `out.${work.to}`
  const args = (input: string, path: string) => rsvgArgs(input, work.to, work.options, path)
  // PostScript is put together in a file elsewhere, where a child may not write. What cannot be drawn is refused below.
  if (work.to === 'pdf' && (await warm(work, { input: work.input, output, args }))?.ok) return [output]
  await tool(work, { program: PROGRAM, args: ([input]) => rsvgArgs(input, work.to, work.options) })
  return [output]
}

export const rsvg: Engine = {
  id: 'rsvg',
  title: 'librsvg',
  tools: [{ program: PROGRAM, debian: 'librsvg2-bin' }, { program: 'sharp' }],
  can: [{ does: 'convert', from: ['svg', 'svgz'], to: ['pdf', 'eps', 'ps'], cost: 1, options: declared, run: draw }],
}
