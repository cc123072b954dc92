/**
 * Photographs as phones take them, of twelve megapixels. What costs nothing in a small picture shows here: a file that is
 * packed on its way from one tool to the next, a tool that works in one thread.
 */
import sharp from 'sharp'
import type { Caller } from './caller.ts'
import { photo } from './convert.ts'
import { inTurns, measure } from './measure.ts'
import { library, made, type Pair, picture, program, served } from './pairs.ts'
import { ms, type Row, times } from './report.ts'

const [WIDTH, HEIGHT] = [4032, 3024]
const FAST = ['-q', '60', '-p', 'preset=ultrafast'] as const

async function pairs(folder: string): Promise<Pair[]> {
  const png = await photo(WIDTH, HEIGHT)
  const jpg = await picture(png, 'jpg').toBuffer()
  const by = (to: string, command: string, ...args: string[]) => made(folder, ['p.jpg', jpg], to, command, ...args)
  const heic = await by('p.heic', 'heif-enc', ...FAST, 'p.jpg', '-o', 'p.heic')
  const psd = await by('p.psd', 'convert', 'p.jpg', 'p.psd')
  const bmp = await by('p.bmp', 'convert', 'p.jpg', 'p.bmp')
  const pair = async (from: string, to: string, file: Uint8Array, tool: string, ...args: string[]): Promise<Pair> => {
    const input: [string, Uint8Array] = [`photo.${from}`, file]
    const bare =
      tool === 'sharp' ? library(folder, input, to as 'webp' | 'avif') : program(folder, input, tool, ...args)
    return { from, to, file, tool, bare: await bare }
  }
  return [
    await pair('heic', 'jpg', heic, 'heif-convert', '-q', '85', 'photo.heic', 'out.jpg'),
    await pair('heic', 'png', heic, 'heif-convert', 'photo.heic', 'out.png'),
    await pair('jpg', 'heic', jpg, 'heif-enc', ...FAST, 'photo.jpg', '-o', 'out.heic'),
    await pair('jpg', 'webp', jpg, 'sharp'),
    await pair('jpg', 'avif', jpg, 'sharp'),
    await pair('psd', 'jpg', psd, 'convert', 'photo.psd[0]', '-quality', '85', 'out.jpg'),
    await pair('bmp', 'jpg', bmp, 'convert', 'photo.bmp', '-quality', '85', 'out.jpg'),
    await pair('jpg', 'psd', jpg, 'convert', 'photo.jpg', 'out.psd'),
  ]
}

export async function photographing(caller: Caller, folder: string, quick: boolean): Promise<Row[]> {
  sharp.cache(false)
  sharp.concurrency(1)
  const rows: Row[] = []
  for (const one of await pairs(folder)) {
    const job = served(caller, one)
    await measure(1, 1, job)
    const turn = await inTurns(
      quick ? 1 : 3,
      () => measure(1, 1, one.bare),
      () => measure(1, 1, job),
    )
    const [bare, jobs] = [turn.one.p50, turn.other.p50]
    rows.push({
      what: `${one.from} → ${one.to}: ${one.tool} ${ms(bare)}, a job ${ms(jobs)}`,
      value: times(jobs / bare),
    })
  }
  return rows
}
