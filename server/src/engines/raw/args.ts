/** What LibRaw's dcraw_emu is told. Pure. */

export interface RawWishes {
  raw_white_balance: 'camera' | 'auto' | 'daylight'
  raw_brightness: number
  raw_half_size: boolean
  raw_denoise: number
  raw_highlights: 'clip' | 'blend' | 'rebuild'
  deep: boolean
}

const BALANCE = { camera: ['-w'], auto: ['-a'], daylight: [] } as const
const HIGHLIGHTS = { clip: '0', blend: '2', rebuild: '5' } as const

export const rawArgs = (input: string, wishes: RawWishes): string[] => [
  ...['-o', '1', '-Z', 'step.ppm', ...BALANCE[wishes.raw_white_balance]],
  // Without it every picture is brightened as far as it goes, and a figure would say little.
  ...(wishes.raw_brightness === 100 ? [] : ['-W', '-b', String(wishes.raw_brightness / 100)]),
  ...['-H', HIGHLIGHTS[wishes.raw_highlights]],
  ...(wishes.raw_half_size ? ['-h'] : []),
  ...(wishes.raw_denoise > 0 ? ['-n', String(wishes.raw_denoise)] : []),
  ...(wishes.deep ? ['-6'] : []),
  input,
]
