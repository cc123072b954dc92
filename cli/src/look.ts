/** Colours, where the stream shows them. */
import { styleText } from 'node:util'

type Format = Parameters<typeof styleText>[0]

export interface Look {
  good(text: string): string
  bad(text: string): string
  faint(text: string): string
  strong(text: string): string
  accent(text: string): string
}

export function createLook(stream: NodeJS.WriteStream): Look {
  const style = (format: Format) => (text: string) => styleText(format, text, { stream })
  // The ember of the dashboard where the terminal has that many colours.
  const rich = stream.isTTY && stream.hasColors?.(2 ** 24)
  return {
    good: style('green'),
    bad: style('red'),
    faint: style('dim'),
    strong: style('bold'),
    accent: rich ? (text) => `\x1b[38;2;255;122;69m${text}\x1b[39m` : style('yellow'),
  }
}

/** A terminal that does not know its width says 0; help to a file has none. */
export const columns = (stream: NodeJS.WriteStream): number => stream.columns || 80

/** `━━━━━━╸───`: the part that is done, to half a column. */
export function bar(percent: number | undefined, width: number, look: Pick<Look, 'accent' | 'faint'>): string {
  const halves = Math.round(((percent ?? 0) / 100) * width * 2)
  const full = '━'.repeat(Math.floor(halves / 2)) + (halves % 2 ? '╸' : '')
  return look.accent(full) + look.faint('─'.repeat(width - full.length))
}

const PULSE = 6

/** `──━━━━━━────`, going from left to right and back: something happens, and nobody knows how much. */
export function pulse(step: number, width: number, look: Pick<Look, 'accent' | 'faint'>): string {
  const way = width - PULSE
  const at = Math.abs((step % (2 * way)) - way)
  return look.faint('─'.repeat(way - at)) + look.accent('━'.repeat(PULSE)) + look.faint('─'.repeat(at))
}
