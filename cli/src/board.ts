/** A few lines at the bottom of a terminal that are drawn over and over. Draws at most every so often. */

const EVERY = 60
const HIDE = '\x1b[?25l'
const SHOW = '\x1b[?25h'
/** Long lines are cut off by the terminal: a wrapped one would make us count wrong. */
const NO_WRAP = '\x1b[?7l'
const WRAP = '\x1b[?7h'

export interface Board {
  draw(lines: readonly string[]): void
  /** Writes something that stays, above the lines; also to another stream of the same terminal. */
  above(stream: NodeJS.WritableStream, text: string): void
  close(): void
}

export function createBoard(stream: NodeJS.WritableStream): Board {
  let wanted: readonly string[] = []
  let shown = 0
  let timer: NodeJS.Timeout | undefined

  const erase = () => (shown > 0 ? `\x1b[${shown}A\r\x1b[0J` : '')

  function paint(): void {
    clearTimeout(timer)
    timer = undefined
    const lines = wanted.map((line) => `${line}\n`).join('')
    if (shown > 0 || wanted.length > 0) stream.write(`${HIDE}${NO_WRAP}${erase()}${lines}${WRAP}${SHOW}`)
    shown = wanted.length
  }

  return {
    draw(lines) {
      wanted = lines
      timer ??= setTimeout(paint, EVERY)
    },
    above(target, text) {
      stream.write(erase())
      shown = 0
      target.write(text)
      paint()
    },
    close() {
      wanted = []
      paint()
    },
  }
}
